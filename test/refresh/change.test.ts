/** How documents change, as an index says it: from the sketches of the core to explain() and changes(). */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  url: string
  body: string
}

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const at = (day: number) => START + day * DAY_MS

function open(path = ':memory:', options = {}): Promise<Freshdex<Page>> {
  return Freshdex.open<Page>(path, { key: 'url', fields: { body: {} }, ...options })
}

function text(random: SeededRandom, words: number): string {
  return Array.from({ length: words }, () => `w${random.int(5000)}`).join(' ')
}

/**
 * Static text around eight items; `updates` of them are newer than the first ones. Churn replaces all of them each
 * time.
 */
function pageOf(kind: 'still' | 'churn' | 'scroll', updates: number): Page {
  const random = (label: string) => new SeededRandom(0).fork(`${kind} ${label}`)
  const items = Array.from({ length: 8 }, (_, at) => {
    const item = kind === 'still' ? at : kind === 'churn' ? 8 * updates + at : updates + at
    return text(random(`item ${item}`), 40)
  })
  return { url: kind, body: [text(random('static'), 120), ...items].join('\n') }
}

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('an index %s', (_, place) => {
  test('tells churn from scroll from pages that are still', async () => {
    const folder = place()
    const reopened = async (index: Freshdex<Page>) => {
      if (folder === ':memory:') return index
      await index.close()
      return open(folder)
    }
    let index = await open(folder)
    for (let day = 0; day <= 10; day++) {
      const pages = (['still', 'churn', 'scroll'] as const).map((kind) => pageOf(kind, day))
      await index.write({ put: pages }, { at: at(day) })
      if (day === 4) index = await reopened(index)
    }
    const behaviour = (key: string) => index.refresh.explain(key)?.change?.behaviour
    expect(behaviour('still')).toMatchObject({ kind: 'still', items: 0, share: 0, longevityMs: undefined })
    expect(behaviour('churn')).toMatchObject({ kind: 'churn', items: 1 })
    expect(behaviour('scroll')).toMatchObject({ kind: 'scroll' })
    for (const kind of ['still', 'churn', 'scroll']) expect(behaviour(kind)?.probability).toBeGreaterThan(0.6)
    // Of what churns nothing is left after a day; an item of the list stays eight days.
    expect(behaviour('churn')?.longevityMs).toBeLessThan(1.5 * DAY_MS)
    expect(behaviour('scroll')?.longevityMs).toBeGreaterThan(3 * DAY_MS)
    expect(await index.refresh.changes()).toMatchObject({
      documents: 3,
      kinds: { still: 1, churn: 1, scroll: 1, unknown: 0 },
    })
    const { longevityMs } = await index.refresh.changes()
    expect(longevityMs?.upper).toBeGreaterThan(2 * (longevityMs?.lower ?? 0))
    await index.close()
  })

  test('keeps more profiles where it is told to, and whoever opens it next goes by them', async () => {
    const folder = place()
    const [one, five] = [await open(), await open(folder, { changeProfiles: 5 })]
    for (let day = 0; day <= 12; day++) {
      const pages = (['still', 'churn', 'scroll'] as const).map((kind) => pageOf(kind, Math.floor(day / 3)))
      for (const index of [one, five]) await index.write({ put: pages }, { at: at(day) })
    }
    const prioritiesOf = async (index: Freshdex<Page>) => {
      const policies = ['longevity-curve', 'longevity-bound'] as const
      const named = await Promise.all(
        policies.map((policy) => index.refresh.next({ budget: 3, policy, at: at(15), minIntervalMs: 0 })),
      )
      return named.map(({ pages }) => pages.map(({ key, priority }) => [key, priority]))
    }
    const expected = await prioritiesOf(five)
    expect(expected).not.toEqual(await prioritiesOf(one))
    await one.close()
    if (folder === ':memory:') return five.close()
    // Rows that wait are read as well as rows of their table.
    for (const isCompacted of [false, true]) {
      const index = isCompacted ? await open(folder) : five
      if (isCompacted) await index.compact()
      await index.close()
      for (const options of [{}, { changeProfiles: 5 }, { readOnly: true }]) {
        await using again = await open(folder, options)
        expect(await prioritiesOf(again)).toEqual(expected)
        expect(await again.check()).toMatchObject({ ok: true })
      }
    }
  })

  test('has no profile of what it did not sketch', async () => {
    await using index = await open(place(), { changeProfiles: false })
    await index.write({ put: [pageOf('churn', 0)] }, { at: at(0) })
    await index.write({ put: [pageOf('churn', 1)] }, { at: at(1) })
    expect(index.refresh.explain('churn')).toMatchObject({ changes: 1, change: undefined })
    expect((await index.refresh.changes()).kinds).toEqual({ still: 0, churn: 0, scroll: 0, unknown: 1 })
  })

  test('takes a refresh that brought no text for what it says', async () => {
    await using index = await open(place())
    await index.write({ put: [pageOf('churn', 0)] }, { at: at(0) })
    const ages = () => index.refresh.explain('churn')?.change?.observations.map(({ ageMs }) => ageMs / DAY_MS)
    await index.refresh.observe('churn', { outcome: 'same', at: at(1) })
    await index.refresh.observe('churn', { outcome: 'error', at: at(2) })
    expect(ages()).toEqual([1])
    // It changed, but how far nobody looked.
    await index.refresh.observe('churn', { outcome: 'changed', at: at(3) })
    await index.refresh.observe('churn', { outcome: 'same', at: at(4) })
    expect(ages()).toEqual([1])
    await index.write({ put: [pageOf('churn', 5)] }, { at: at(5) })
    expect(ages()).toEqual([1, 5])
  })

  test('forgets a page with its profile', async () => {
    await using index = await open(place())
    await index.write({ put: [pageOf('churn', 0)] }, { at: at(0) })
    await index.write({ put: [pageOf('churn', 1)] }, { at: at(1) })
    await index.write({ remove: ['churn'] }, { at: at(2) })
    await index.write({ put: [pageOf('churn', 3)] }, { at: at(3) })
    expect(index.refresh.explain('churn')?.change).toEqual({ baseMs: at(3), observations: [], behaviour: undefined })
  })

  test('a write that fails leaves profiles as they were', async () => {
    await using index = await open(place())
    await index.write({ put: [pageOf('churn', 0), pageOf('scroll', 0)] }, { at: at(0) })
    await index.write({ put: [pageOf('churn', 1)] }, { at: at(1) })
    const before = index.refresh.explain('churn', { at: at(9) })
    const broken = { url: 'churn', body: 5 } as unknown as Page
    await expect(index.write({ put: [pageOf('scroll', 2), broken] }, { at: at(2) })).rejects.toThrow(TypeError)
    expect(index.refresh.explain('churn', { at: at(9) })).toEqual(before)
    expect(index.refresh.explain('scroll')?.change?.observations).toEqual([])
  })
})

test('the divergence of a profile is that of the shingles, within the error of its sketches', async () => {
  await withSeed('divergence', async (seed) => {
    const random = new SeededRandom(seed)
    const pages = 400
    await using index = await open()
    const first = Array.from({ length: pages }, () => Array.from({ length: 40 }, () => text(random, 10)))
    const put = (bodies: string[][]) => bodies.map((lines, nth) => ({ url: `${nth}`, body: lines.join('\n') }))
    await index.write({ put: put(first) }, { at: at(0) })
    const second = first.map((lines) => lines.map((line) => (random.chance(0.3) ? text(random, 10) : line)))
    await index.write({ put: put(second) }, { at: at(1) })
    let errors = 0
    let variance = 0
    for (let nth = 0; nth < pages; nth++) {
      const truth = differenceOf(first[nth]!.join(' '), second[nth]!.join(' '))
      const [seen] = index.refresh.explain(`${nth}`)?.change?.observations ?? []
      errors += seen!.divergence - truth
      variance += (truth * (1 - truth)) / 8
    }
    // Four standard errors of the mean over all pages.
    expect(Math.abs(errors) / pages).toBeLessThan((4 * Math.sqrt(variance)) / pages)
  })
})

/** Share of the word 4-grams of both that only one of them has. */
function differenceOf(a: string, b: string): number {
  const grams = (body: string) => {
    const words = body.split(' ')
    return new Set(words.slice(3).map((_, at) => words.slice(at, at + 4).join(' ')))
  }
  const [first, second] = [grams(a), grams(b)]
  const shared = [...first].filter((gram) => second.has(gram)).length
  return 1 - shared / (first.size + second.size - shared)
}
