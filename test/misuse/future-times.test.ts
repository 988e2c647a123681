/** What is told may not lie in the future; questions may. The clock is that of the machine or of the opener. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { fingerprint, openSpecimen } from './specimen.js'

interface Row {
  id: string | number
  body: string
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

const IN_MICROSECONDS = Date.now() * 1000

type Told = (index: Awaited<ReturnType<typeof openSpecimen>>, at: number | Date) => unknown

const TOLD: [string, Told][] = [
  ['write', (index, at) => index.write({ put: [{ id: 'new', body: 'new' }] }, { at })],
  ['load', (index, at) => index.load([{ id: 'new', body: 'new' }], { at })],
  ['observe', (index, at) => index.refresh.observe('page 1', { outcome: 'same', at })],
  ['observeAll', (index, at) => index.refresh.observeAll([['page 1', { outcome: 'same', at }]])],
  ['signal', (index, at) => index.refresh.signal('page 1', { kind: 'push', at })],
  ['importSignals', (index, at) => index.refresh.importSignals({ headers: '' }, { at })],
  ['record', (index, at) => index.workload.record('fox', { at })],
  ['workload.load', (index, at) => index.workload.load(['fox'], { at })],
  ['frontier.add', (index, at) => index.frontier.add([{ url: 'https://a.example/' }], { at })],
]

describe.each(TOLD)('%s', (_, tell) => {
  test('refuses a time in the future, and nothing happens', async () => {
    await using index = await openSpecimen()
    const before = await fingerprint(index, ['new'])
    for (const at of [IN_MICROSECONDS, Date.now() + DAY_MS, new Date(Date.now() + 10 * MINUTE_MS)]) {
      await expect((async () => tell(index, at))()).rejects.toThrow(/^at must not be in the future: .*`now`/)
    }
    expect(await fingerprint(index, ['new'])).toEqual(before)
  })

  test('takes what clocks may be apart, and any time before', async () => {
    await using index = await openSpecimen()
    for (const at of [Date.now() + MINUTE_MS, new Date(), 0]) await tell(index, at)
  })

  test('goes by the clock of the opener', async () => {
    let clockMs = 10 * YEAR_MS
    await using index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, now: () => clockMs })
    await index.write({ put: [{ id: 'page 1', body: 'fox' }] })
    await expect((async () => tell(index as never, 11 * YEAR_MS))()).rejects.toThrow(RangeError)
    clockMs = 100 * YEAR_MS
    await tell(index as never, 11 * YEAR_MS)
  })
})

test('questions may be about any time', async () => {
  await using index = await openSpecimen()
  index.workload.record('fox')
  const at = Date.now() + 10 * YEAR_MS
  expect((await index.refresh.next({ budget: 3, at })).pages).toHaveLength(3)
  expect((await index.plan({ budget: 3, at })).actions).toHaveLength(3)
  expect(index.refresh.explain('page 1', { at })!.ageMs).toBeGreaterThan(9 * YEAR_MS)
  expect(index.refresh.priority('page 1', { at })).toBeGreaterThan(0)
})

test('without a time it is what the clock of the opener says', async () => {
  const clockMs = 20 * YEAR_MS
  await using index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, now: () => clockMs })
  await index.write({ put: [{ id: 1, body: 'fox' }] })
  expect(index.refresh.explain(1)).toMatchObject({ refreshedAt: clockMs, at: clockMs, ageMs: 0 })
})

test('a clock must be a function, and give a time', async () => {
  const open = (now: unknown) =>
    Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, now: now as () => number })
  for (const now of [5, 'now', null, {}]) await expect(open(now)).rejects.toThrow(/^now must be a function/)
  for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY, undefined, new Date(), 9e15]) {
    await using index = await open(() => wrong)
    await expect(index.write({ put: [{ id: 1, body: 'fox' }] })).rejects.toThrow(/^what now\(\) gives must be/)
  }
})

test('a page that a wrong clock has dated heals at its next refresh', async () => {
  const path = newPath()
  const open = (now: () => number) => Freshdex.open<Row>(path, { key: 'id', fields: { body: {} }, now })
  const rightMs = Date.now()
  const index = await open(() => rightMs + YEAR_MS)
  await index.write({ put: [1, 2, 3].map((id) => ({ id, body: `fox ${id}` })) })
  await index.close()
  await using again = await open(() => rightMs)
  expect(again.refresh.explain(1)!.ageMs).toBe(0)
  await again.write({ put: [{ id: 1, body: 'fox 1' }] })
  await again.refresh.observe(2, { outcome: 'same' })
  for (const id of [1, 2]) {
    const at = rightMs + DAY_MS
    expect(again.refresh.explain(id, { at })).toMatchObject({ refreshedAt: rightMs, createdAt: rightMs, ageMs: DAY_MS })
  }
  const { pages } = await again.refresh.next({ budget: 3, at: rightMs + DAY_MS })
  expect(pages.map(({ key }) => key).toSorted()).toEqual([1, 2])
  expect(await again.check()).toMatchObject({ ok: true, faults: [] })
})
