/** The timetable of a large index is made on a thread, and is the one that the caller would make. */
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { nextTurn, Pauses } from '../../../src/base/turns.js'
import { Ledger } from '../../../src/ledger/ledger.js'
import {
  makeRefreshSchedule,
  type RefreshSchedule,
  readScheduleOptions,
  type ScheduleTools,
} from '../../../src/refresh/refresh-schedule.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const START_MS = 20_000 * DAY_MS
const END_MS = START_MS + 400 * DAY_MS
/** A document of a number that seven divides has just been removed. */
const keyOf = (doc: number) => (doc % 7 === 6 ? undefined : `page${doc}`)

/** Documents of all kinds: some change in bursts, some at fixed times of the week, some never; some are gone. */
function randomLedger(random: SeededRandom): Ledger {
  const ledger = new Ledger()
  const docs = random.between(1, 120)
  for (let doc = 0; doc < docs; doc++) {
    if (random.chance(0.1)) continue
    let atMs = START_MS + random.int(30) * DAY_MS
    ledger.created(doc, atMs)
    const chance = random.chance(0.3) ? 0 : random.next()
    let burst = 0
    for (let visit = random.int(36); visit > 0 && atMs < END_MS; visit--) {
      atMs += random.between(1, 10) * DAY_MS
      if (burst === 0 && random.chance(chance)) burst = random.between(1, 4)
      ledger.refreshed(doc, atMs, burst > 0 ? 'changed' : 'same', 0)
      if (burst > 0) burst--
    }
    if (random.chance(0.8)) ledger.setStake(doc, random.next())
  }
  return ledger
}

function make(ledger: Ledger, options: object, tools: Partial<ScheduleTools> = {}): Promise<RefreshSchedule> {
  const request = readScheduleOptions({ at: END_MS, ...options }, END_MS)
  return makeRefreshSchedule(ledger, request, { keyOf, pauses: new Pauses(), check: () => {}, ...tools })
}

const ON_THREAD = { mostAtOnce: -1 }
const AT_ONCE = { mostAtOnce: Number.POSITIVE_INFINITY }

describe('the thread of schedules', () => {
  it('makes the timetable that the caller would make', async () => {
    const [kinds, weights] = [new Set<string>(), new Set<string>()]
    await withSeed('schedules on a thread', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 25; round++) {
        const ledger = randomLedger(random)
        const patterned = random.chance(0.4)
        const options = {
          capacities: Array.from({ length: random.between(1, 3) }, () => random.int(200)),
          periodMs: 7 * DAY_MS,
          start: random.chance(0.5) ? 'fresh' : 'repeated',
          weight: random.chance(0.5) ? 'stake' : 'none',
          ...(patterned ? { updateTimesMs: [1, 3, 4.5].map((days) => days * DAY_MS) } : {}),
        }
        const schedule = await make(ledger, options, ON_THREAD)
        const direct = await make(ledger, options, AT_ONCE)
        expect([...schedule.rows()]).toEqual([...direct.rows()])
        expect({ ...schedule, rows: undefined }).toStrictEqual({ ...direct, rows: undefined })
        for (const { law } of schedule.pages) kinds.add(law.kind)
        weights.add(schedule.weight)
      }
    })
    expect(kinds.size).toBeGreaterThan(2)
    expect([...weights].sort()).toEqual(['none', 'stake'])
  })

  it('fails as the caller would', async () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 5; doc++) ledger.created(doc, START_MS)
    const failures: readonly [object, string][] = [
      [{ crawls: 3, minimum: 1 }, 'FreshdexError'],
      [{ capacities: [3, 1.5] }, 'RangeError'],
      [{ capacities: [3], crawls: 4 }, 'RangeError'],
    ]
    for (const [options, name] of failures) {
      const [onThread, direct] = await Promise.all(
        [ON_THREAD, AT_ONCE].map((tools) => make(ledger, options, tools).catch((error: unknown) => error)),
      )
      expect(direct).toMatchObject({ name })
      expect(onThread).toStrictEqual(direct)
      expect(Object.getPrototypeOf(onThread)).toBe(Object.getPrototypeOf(direct))
    }
  })

  it('ends when nobody wants the timetable any more', async () => {
    const ledger = new Ledger()
    ledger.created(0, START_MS)
    const check = () => {
      throw new Error('the index is closed')
    }
    await expect(make(ledger, { crawls: 1 }, { ...ON_THREAD, check })).rejects.toThrow('the index is closed')
  })

  it('is what many crawls are given to, and leaves none behind when the index is closed', async () => {
    const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = threads()
    const index = await Freshdex.open<{ id: number; body: string }>(':memory:', { key: 'id', fields: { body: {} } })
    await index.write({ put: [{ id: 1, body: 'ferry' }] })
    const schedule = await index.refresh.schedule({ crawls: 200_000 })
    expect(schedule.made).toHaveLength(200_000)
    expect(threads()).toBe(before)
    const interrupted = index.refresh.schedule({ crawls: 5_000_000 }).catch((error: unknown) => error)
    while (threads() === before) await nextTurn()
    await index.close()
    expect(await interrupted).toMatchObject({ code: 'CLOSED' })
    expect(threads()).toBe(before)
  })
})
