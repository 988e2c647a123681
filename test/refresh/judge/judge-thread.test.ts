/** The judge on a thread beside the judge on the spot: the same questions about the same ledger, the same answers. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.js'
import { type BestPages, type JudgedPages, LedgerJudge } from '../../../src/refresh/judge/judging.js'
import { JudgeThread } from '../../../src/refresh/judge/thread.js'
import { CurrentModel } from '../../../src/refresh/model/current-model.js'
import { POLICY_NAMES, type PolicyChoice } from '../../../src/refresh/policies/registry.js'
import { addPage, fullLedger } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const threads: JudgeThread[] = []

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

function judgesOf(ledger: Ledger) {
  const model = new CurrentModel(ledger)
  model.frozen.followElsewhere()
  const thread = new JudgeThread(ledger, model)
  threads.push(thread)
  return { thread, model, inline: new LedgerJudge(ledger) }
}

const plain = ({ docs, priorities, deltaQualities, changeChances, ...rest }: JudgedPages | BestPages) => ({
  ...{ docs: [...docs], priorities: [...priorities] },
  ...{ deltaQualities: [...deltaQualities], changeChances: [...changeChances] },
  ...rest,
})

function touch(random: SeededRandom, ledger: Ledger, atMs: number): void {
  const doc = random.int(ledger.rows)
  if (ledger.rowOf(doc) === undefined) addPage(random, ledger, doc)
  const change = random.int(6)
  if (change === 0) ledger.removed(doc)
  else if (change === 1) ledger.failed(doc, atMs)
  else if (change === 2) ledger.setStake(doc, random.next() * 100)
  else if (change === 3) ledger.signalled(doc, random.between(1, 3), 'push', atMs)
  else ledger.refreshed(doc, atMs, random.chance(0.5) ? 'changed' : 'same', random.next())
}

describe('a judge on a thread', () => {
  it('answers as the one on the spot does, whatever is touched, added and grouped in between', async () => {
    await withSeed('judge thread', async (seed) => {
      const random = new SeededRandom(seed)
      const { ledger, nowMs } = fullLedger(random, random.between(300, 900))
      for (let doc = 0; doc < ledger.rows; doc++) ledger.sections.place(doc, `https://a.example/${doc % 7}/${doc}`)
      const { thread, model, inline } = judgesOf(ledger)
      for (let question = 0, atMs = nowMs; question < 30; question++) {
        for (let touches = random.pick([0, 1, 30, 400]); touches > 0; touches--) touch(random, ledger, atMs)
        // Now and then the ledger outgrows its arrays.
        if (random.chance(0.2))
          for (let more = random.pick([1, 100, 1500]); more > 0; more--) {
            const doc = ledger.rows
            ledger.sections.place(doc, `https://b.example/${random.int(50)}/${doc}`)
            addPage(random, ledger, doc)
          }
        atMs += Math.floor(random.pick([0, 1, DAY_MS, 30 * DAY_MS]) * random.next())
        const policy: PolicyChoice = random.chance(0.5) ? 'quality-utility' : random.pick(POLICY_NAMES)
        const request = { policy, atMs, minIntervalMs: random.pick([0, DAY_MS]) }
        const count = random.pick([0, 1, 50, 5000])
        expect(plain(await thread.best({ ...request, count }))).toEqual(plain(inline.best({ ...request, count })))
        const docs = Uint32Array.from({ length: 20 }, () => random.int(ledger.rows + 10))
        expect(plain(await thread.ranked(docs, request))).toEqual(plain(inline.ranked(docs, request)))
        if (random.chance(0.2)) expect(plain(await thread.all(request))).toEqual(plain(inline.all(request)))
        // The owner of the ledger knows by the same model what to expect of single pages.
        const doc = random.int(ledger.rows)
        if (ledger.columns.present[doc] === 1)
          expect(model.expected(doc, atMs)).toEqual(inline.model.expected(doc, atMs))
      }
    })
  })

  it('tells that rows were touched since it was asked', async () => {
    const { ledger, nowMs } = fullLedger(new SeededRandom(1), 300)
    const { thread } = judgesOf(ledger)
    const request = { policy: 'quality-utility', atMs: nowMs, minIntervalMs: 0, count: 5 } as const
    const asked = thread.best(request)
    expect(thread.isTouched).toBe(false)
    ledger.setStake(7, 1234)
    expect(thread.isTouched).toBe(true)
    await asked
    expect([...(await thread.best(request)).docs]).toContain(7)
    expect(thread.isTouched).toBe(false)
  })

  it('refuses what waits, and all that follows, with CLOSED when it is closed', async () => {
    const { ledger, nowMs } = fullLedger(new SeededRandom(2), 300)
    const { thread } = judgesOf(ledger)
    const request = { policy: 'quality-utility', atMs: nowMs, minIntervalMs: 0, count: 5 } as const
    const waiting = [thread.best(request), thread.all(request)].map((question) => question.catch((error) => error.code))
    await thread.close()
    expect(await Promise.all(waiting)).toEqual(['CLOSED', 'CLOSED'])
    await expect(thread.best(request)).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('hands on what a policy refuses', async () => {
    const { ledger, nowMs } = fullLedger(new SeededRandom(3), 300)
    const { thread } = judgesOf(ledger)
    const request = { policy: 'newest' as never, atMs: nowMs, minIntervalMs: 0, count: 5 }
    await expect(thread.best(request)).rejects.toThrow(RangeError)
    await expect(thread.best({ ...request, policy: 'oldest-first' })).resolves.toMatchObject({ total: { atMs: nowMs } })
  })
})
