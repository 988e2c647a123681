import { describe, expect, it } from 'vitest'
import { largeSections, type SectionTree } from '../../src/change/sections.js'
import { SeededRandom, withSeed } from '../support/seed.js'

/** So many pages in each of these sections. */
function pagesIn(counts: Readonly<Record<number, number>>): number[] {
  return Object.entries(counts).flatMap(([section, count]) => Array<number>(count).fill(Number(section)))
}

function numbersOf(tree: SectionTree, pages: Iterable<number>, minPages: number) {
  const large = largeSections(tree, pages, minPages)
  const numbers = Array.from(tree.parents, (_, section) => large.numberOf(section))
  return { parents: Array.from(large.parents), numbers }
}

describe('large sections', () => {
  it('are numbered anew in their order, each below the nearest large one above it', () => {
    // 0 -> 1 -> 2 -> 3, 0 -> 4: of these 2 has too few pages by itself, but not with those below it.
    const parents = [0, 0, 1, 2, 0]
    const pages = pagesIn({ 1: 5, 2: 1, 3: 4, 4: 5 })
    expect(numbersOf({ parents }, pages, 5)).toEqual({ parents: [0, 0, 1, 0], numbers: [0, 1, 2, 2, 3] })
  })

  it('have so many pages at least, those of their folders included', () => {
    const parents = [0, 0, 0, 2, 2]
    const pages = pagesIn({ 1: 9, 3: 5, 4: 5 })
    expect(numbersOf({ parents }, pages, 9)).toEqual({ parents: [0, 0, 0], numbers: [0, 1, 2, 2, 2] })
    expect(numbersOf({ parents }, pages, 10)).toEqual({ parents: [0, 0], numbers: [0, 0, 1, 1, 1] })
    expect(numbersOf({ parents }, pages, 11)).toEqual({ parents: [0], numbers: [0, 0, 0, 0, 0] })
  })

  it('are not those that have all pages of their parent', () => {
    // One host, and one folder in it that has everything: only where it divides there is something to tell apart.
    const parents = [0, 0, 1, 2, 2]
    const pages = pagesIn({ 3: 20, 4: 30 })
    expect(numbersOf({ parents }, pages, 10)).toEqual({ parents: [0, 0, 0], numbers: [0, 0, 0, 1, 2] })
    expect(numbersOf({ parents }, [...pages, 0], 10).numbers).toEqual([0, 1, 1, 2, 3])
    expect(numbersOf({ parents }, [...pages, 1], 10).numbers).toEqual([0, 0, 1, 2, 3])
  })

  it('are the whole alone where there are no pages, or no sections', () => {
    expect(numbersOf({ parents: [0, 0, 1] }, [], 1)).toEqual({ parents: [0], numbers: [0, 0, 0] })
    expect(numbersOf({ parents: [0, 0, 1] }, [], 0)).toEqual({ parents: [0], numbers: [0, 0, 0] })
    expect(numbersOf({ parents: [0] }, [0, 0, 0], 1)).toEqual({ parents: [0], numbers: [0] })
  })

  it('stand for sections that were made since', () => {
    const parents = [0, 0, 0]
    const large = largeSections({ parents }, pagesIn({ 1: 10, 2: 3 }), 10)
    // 3 and 4 below the large one, 5 and 6 below the small one, 7 a new one below the whole.
    parents.push(1, 3, 2, 5, 0)
    expect([3, 4, 5, 6, 7].map((section) => large.numberOf(section))).toEqual([1, 1, 0, 0, 0])
    expect(Array.from(large.parents)).toEqual([0, 0])
  })

  it('are those of a walk up from each section, in random trees', () => {
    withSeed('section tree', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const known = random.between(1, 30)
        const parents = [0]
        // Deep ones, wide ones, and mixtures.
        const farthest = random.pick([1, 3, 30])
        const grow = () => parents.push(parents.length - random.between(1, Math.min(farthest, parents.length)))
        while (parents.length < known) grow()
        const pages = Array.from({ length: random.pick([0, 5, 50, 200]) }, () =>
          random.chance(0.3) ? random.int(known) : known - 1 - random.int(Math.ceil(known / 4)),
        )
        const minPages = random.pick([1, 2, 10, 40])
        const tree = parents.slice()
        const large = largeSections({ parents }, pages, minPages)
        const twin = walkedUp(tree, pages, minPages)
        for (let left = random.int(10); left > 0; left--) grow()
        for (let section = 0; section < parents.length; section++)
          expect(large.numberOf(section)).toBe(twin.numberOf(section, parents))
        expect(Array.from(large.parents)).toEqual(twin.parents)
      }
    })
  })
})

/** From each section up, until one qualifies: by counting the pages of it and of its parent one by one. */
function walkedUp(tree: readonly number[], pages: readonly number[], minPages: number) {
  const lineOf = (section: number, parents: readonly number[]) => {
    const line = [section]
    for (let at = section; at !== 0; at = parents[at]!) line.push(parents[at]!)
    return line
  }
  const sizeOf = (section: number) => pages.filter((page) => lineOf(page, tree).includes(section)).length
  const qualifies = (section: number) =>
    section === 0 || (sizeOf(section) >= minPages && sizeOf(section) !== sizeOf(tree[section]!))
  const large = tree.map((_, section) => section).filter(qualifies)
  const nearest = (section: number, parents: readonly number[]) =>
    large.indexOf(lineOf(section, parents).find((above) => large.includes(above))!)
  return {
    parents: large.map((section) => (section === 0 ? 0 : nearest(tree[section]!, tree))),
    numberOf: nearest,
  }
}
