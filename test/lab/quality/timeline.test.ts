import { describe, expect, it } from 'vitest'
import {
  forEachChange,
  NO_VERSION,
  presentThroughout,
  readTimeline,
  selectPages,
  type Timeline,
} from '../../../src/lab/quality/timeline.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { page, stepsOf, worldOf } from './small-worlds.js'

/** By step, what each page that is there says. */
function told(timeline: Timeline, texts: readonly string[]): Record<string, string>[] {
  const live = new Map<number, number>()
  return Array.from(timeline.atMs, (_, step) => {
    forEachChange(timeline, step, (number, version) => {
      if (version === NO_VERSION) live.delete(number)
      else live.set(number, version)
    })
    return Object.fromEntries(
      Array.from(live, ([number, version]) => {
        expect(timeline.pageOf[version]).toBe(number)
        return [timeline.urls[number]!, texts[version]!]
      }),
    )
  })
}

/** Also as the world tells it. */
function randomSteps(random: SeededRandom) {
  const urls = ['a', 'b', 'c', 'd', 'e', 'f']
  const now = new Map<string, string>()
  const history: Record<string, string>[] = []
  const steps = Array.from({ length: 8 }, (_, step) => {
    const [put, gone]: [ReturnType<typeof page>[], string[]] = [[], []]
    for (const url of urls) {
      if (random.chance(0.5)) continue
      const text = String(random.int(4))
      if (now.has(url) && random.chance(0.2)) {
        now.delete(url)
        gone.push(url)
      } else if (now.get(url) !== text) {
        now.set(url, text)
        put.push(page(url, text))
      }
    }
    if (step === 0 && put.length === 0) {
      now.set('a', 'x')
      put.push(page('a', 'x'))
    }
    history.push(Object.fromEntries(now))
    return { put, gone }
  })
  return { steps: stepsOf(...steps), history }
}

describe('a timeline', () => {
  it('tells what the world told, whole or in part', async () => {
    await withSeed('timeline', async (seed) => {
      const random = seededRandom('timeline', seed)
      for (let round = 0; round < 100; round++) {
        const { steps, history } = randomSteps(random)
        const texts: string[] = []
        const timeline = await readTimeline(worldOf(steps), {
          onVersion: ({ text }, version) => {
            expect(version).toBe(texts.length)
            texts.push(text)
          },
        })
        expect(told(timeline, texts)).toEqual(history)
        const isWanted = presentThroughout(timeline)
        const always = timeline.urls.filter((url) => history.every((pages) => pages[url] !== undefined))
        expect(timeline.urls.filter((_, number) => isWanted[number] === 1)).toEqual(always)
        const { timeline: part, origins } = selectPages(timeline, isWanted)
        expect(part.urls).toEqual(always)
        const partTexts = Array.from(origins, (version) => texts[version]!)
        const restricted = history.map((pages) => Object.fromEntries(always.map((url) => [url, pages[url]!])))
        expect(told(part, partTexts)).toEqual(restricted)
      }
    })
  })

  it('knows a version that comes back, and no change where nothing changed', async () => {
    const steps = stepsOf(
      { put: [page('a', 'one')] },
      { put: [page('a', 'two')] },
      { put: [page('a', 'one')] },
      { put: [page('a', 'one')] },
      { put: [page('a', 'ne', 'o')] },
    )
    const { changedVersions, changeEnds } = await readTimeline(worldOf(steps))
    expect([...changedVersions]).toEqual([0, 1, 0, 2])
    expect([...changeEnds]).toEqual([1, 2, 3, 3, 4])
  })

  it('tells how far it is', async () => {
    const seen: number[] = []
    await readTimeline(worldOf(stepsOf({ put: [page('a', '')] }, {}, {})), { onStep: (step) => seen.push(step) })
    expect(seen).toEqual([0, 1, 2])
  })

  it.each([
    ['a world must have at least one step', []],
    ['the first step of a world must have a page', stepsOf({})],
    ['step 1 names the page "a" twice', stepsOf({ put: [page('a', '')] }, { put: [page('a', '1'), page('a', '2')] })],
    ['step 1 names the page "a" twice', stepsOf({ put: [page('a', '')] }, { put: [page('a', '1')], gone: ['a'] })],
    ['step 1: the page "b" is gone but was not there', stepsOf({ put: [page('a', '')] }, { gone: ['b'] })],
    [
      'step 1 must be later than 5 ms, received 5',
      [5, 5].map((atMs) => ({ atMs, versions: [page('a', '')], gone: [] })),
    ],
  ])('refuses: %s', async (message, steps) => {
    await expect(readTimeline(worldOf(steps))).rejects.toThrow(new RangeError(message))
  })
})
