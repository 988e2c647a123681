import { describe, expect, it } from 'vitest'
import { type DemoStory, SiteCopy, type Strategy } from '../../../src/cli/demo/copy.js'
import type { SiteNight } from '../../../src/cli/demo/site.js'
import type { WorldPage } from '../../../src/lab/worlds/world.js'

const page = (url: string, text: string): WorldPage => ({ url, title: 'Harbour', text })
// For `ferry`, the first of them is at rank 1 and the second at rank 2; nothing finds the third.
const first = page('/first', 'ferry ferry ferry to the island')
const second = page('/second', 'ferry and many other words of the island')
const other = page('/other', 'weather')
const [weight1, weight2] = [1, 2 ** -1.5]
const all = weight1 + weight2

function story(weeks: number, nights: Readonly<Record<number, Partial<SiteNight>>>): DemoStory {
  const quiet = { changed: [], added: [], gone: [] }
  return {
    seed: 1,
    site: {
      start: [first, second, other],
      appeal: [1, 1, 1],
      nights: Array.from({ length: 7 * weeks }, (_, night) => ({ ...quiet, ...nights[night] })),
    },
    asked: Array.from({ length: weeks }, () => [{ query: 'ferry', count: 3 }]),
  }
}

async function follow(told: DemoStory, strategy: Strategy, budget: number): Promise<number[]> {
  const copy = await SiteCopy.fetch(told)
  try {
    return await copy.follow({ strategy, budget })
  } finally {
    await copy.close()
  }
}

const STRATEGIES: readonly Strategy[] = ['freshdex', 'oldestFirst', 'random']
const edited = ({ text, ...rest }: WorldPage): WorldPage => ({ ...rest, text: `${text} today` })

describe.each(STRATEGIES)('a copy kept by %s', (strategy) => {
  it('is up to date while nothing changes', async () => {
    expect(await follow(story(3, {}), strategy, 1)).toEqual([1, 1, 1])
  })

  it('is outdated from the day of a change to the next fetch, by as much as people look at the page', async () => {
    const told = story(2, { 1: { changed: [edited(second)] } })
    const [week1, week2] = await follow(told, strategy, 3)
    expect(week1).toBeCloseTo(1 - ((5 / 7) * weight2) / all, 12)
    expect(week2).toBe(1)
  })

  it('does not mind the change of a page that nobody sees', async () => {
    expect(await follow(story(2, { 0: { changed: [edited(other)] } }), strategy, 1)).toEqual([1, 1])
  })

  it('shows a page that is gone until it looks for it', async () => {
    const told = story(2, { 0: { gone: ['/first'] } })
    const [week1, week2] = await follow(told, strategy, 3)
    expect(week1).toBeCloseTo(1 - ((6 / 7) * weight1) / all, 12)
    expect(week2).toBe(1)
  })

  it('fetches new pages beside its budget, as they are then', async () => {
    const added = page('/new', 'ferry ferry ferry ferry')
    const told = story(3, { 0: { added: [added] }, 2: { changed: [edited(added)] }, 8: { changed: [added] } })
    const [week1, week2] = await follow(told, strategy, 1)
    expect(week1).toBe(1)
    expect(week2).toBeLessThan(1 - (5 / 7) * 0.4)
    expect(week2).toBeGreaterThan(0)
  })

  it('fetches no more than its budget', async () => {
    const told = story(2, { 0: { changed: [edited(first), edited(second)] } })
    expect((await follow(told, strategy, 1))[1]).toBeLessThan(1)
    expect((await follow(told, strategy, 0))[1]).toBe(0)
  })
})

describe('what the index would fetch next', () => {
  it('is what people would miss most, with what is known of it', async () => {
    const copy = await SiteCopy.fetch(story(2, { 0: { changed: [edited(first)] } }))
    await copy.follow({ strategy: 'oldestFirst', budget: 3 })
    const { pages, sentence } = await copy.next(10)
    expect(pages.map(({ key }) => key).toSorted()).toEqual(['/first', '/other', '/second'])
    expect(pages[0]).toMatchObject({ key: '/first', refreshes: 1, changes: 1 })
    expect(sentence).not.toBe('')
    await copy.close()
  })
})
