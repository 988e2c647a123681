import { describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/base/hosts.js'
import type { Key } from '../../src/base/keys.js'
import { Sections } from '../../src/ledger/sections.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe('the folders of a key', () => {
  it.each<[Key, string[]]>([
    ['https://example.org/docs/api/page.html', ['example.org', 'docs', 'api']],
    ['https://example.org/page.html', ['example.org']],
    ['https://example.org/', ['example.org']],
    ['https://example.org', ['example.org']],
    ['HTTPS://Example.ORG/Docs/a', ['example.org', 'Docs']],
    ['https://example.org:443/docs/a', ['example.org', 'docs']],
    ['https://example.org:8443/docs/a', ['example.org:8443', 'docs']],
    ['https://user:pass@example.org/docs/a', ['example.org', 'docs']],
    ['ftp://[::1]:21/pub/a', ['[::1]:21', 'pub']],
    ['//Example.ORG/docs/a', ['example.org', 'docs']],
    ['//example.org', ['example.org']],
    ['https://example.org/docs/a?next=/other/b', ['example.org', 'docs']],
    ['https://example.org?path=/docs/a', ['example.org']],
    ['https://example.org#/docs/a', ['example.org']],
    ['https://example.org/docs/a#part/of/it', ['example.org', 'docs']],
    ['https://example.org/docs/?q', ['example.org']],
    // The page of a folder is beside it, as without the slash.
    ['https://example.org/docs/api/', ['example.org', 'docs']],
    ['https://example.org/docs/api', ['example.org', 'docs']],
    ['https://example.org//docs///a', ['example.org', 'docs']],
    ['/path/page', ['path']],
    ['/page', []],
    ['/', []],
    ['shop/item/7', ['shop', 'item']],
    ['shop/7', ['shop']],
    ['docs/https://example.org/a', ['docs', 'https:', 'example.org']],
    ['item', []],
    ['item?of=a/b', []],
    ['mailto:a@b.example', []],
    ['', []],
    [17, []],
    [0.5, []],
  ])('%j are %j', (key, folders) => {
    expect(foldersOf(key)).toEqual(folders)
  })

  it('are nine at most, with the host', () => {
    const names = Array.from({ length: 5000 }, (_, nth) => `f${nth}`)
    expect(foldersOf(`https://example.org/${names.join('/')}`)).toEqual(['example.org', ...names.slice(0, 8)])
    expect(foldersOf(names.join('/'))).toEqual(names.slice(0, 9))
    expect(foldersOf(names.slice(0, 9).join('/'))).toEqual(names.slice(0, 8))
  })
})

/** Numbers of the documents 0, 1, 2 … with these keys. */
function sectionsOf(...keys: Key[]): { sections: Sections; numbers: number[] } {
  const sections = new Sections()
  for (const [doc, key] of keys.entries()) sections.place(doc, key)
  return { sections, numbers: keys.map((_, doc) => sections.of(doc)) }
}

describe('sections', () => {
  it('are those of the folders of each key, in whatever order keys come', () => {
    withSeed('folders', (seed) => {
      const random = new SeededRandom(seed)
      const parts = [
        'a',
        'b',
        'docs',
        '',
        '?',
        '#',
        'q?a',
        'x#y',
        '//',
        'https:',
        'HTTPS://Example.org',
        'example.org:80',
      ]
      const keys = Array.from({ length: 3000 }, () =>
        Array.from({ length: random.between(1, 5) }, () => random.pick(parts)).join(random.pick(['/', '/', '/', ''])),
      )
      const { sections, numbers } = sectionsOf(...keys)
      const { names, parents } = sections.parts()
      const folders = (section: number): string[] =>
        section === 0 ? [] : [...folders(parents[section]!), names[section]!]
      for (const [at, key] of keys.entries()) expect(folders(numbers[at]!), JSON.stringify(key)).toEqual(foldersOf(key))
    })
  })

  it('are the same for pages of one folder, and others for all others', () => {
    const { sections, numbers } = sectionsOf('/a/1', '/a/2', '/b/1', '/a/b/1', '/a/3', '/b/b/1', '/a/b/2', '/1', 7)
    const [a, , b, ab, , bb] = numbers as [number, number, number, number, number, number]
    expect(numbers).toEqual([a, a, b, ab, a, bb, ab, 0, 0])
    expect(new Set([0, a, b, ab, bb]).size).toBe(5)
    expect([a, b, ab, bb].map((section) => sections.parents[section])).toEqual([0, 0, a, b])
  })

  it('are 0 for documents that were never placed', () => {
    const sections = new Sections()
    sections.place(5, '/a/1')
    expect([0, 4, 6, 1023, 1024, 2 ** 31].map((doc) => sections.of(doc))).toEqual([0, 0, 0, 0, 0, 0])
    expect(sections.parents).toEqual([0, 0])
  })

  it('follow a number that is given to another page', () => {
    const { sections, numbers } = sectionsOf('/a/1', '/b/1')
    sections.place(0, '/b/2')
    expect(sections.of(0)).toBe(numbers[1])
    sections.place(0, 'page')
    expect(sections.of(0)).toBe(0)
  })

  it('are kept when the table grows', () => {
    const sections = new Sections()
    const docs = [0, 1, 1023, 1024, 1025, 2047, 2048, 4095, 4096, 300_000]
    for (const [nth, doc] of docs.entries()) {
      sections.place(doc, `/f${nth}/1`)
      expect(docs.slice(0, nth + 1).map((each) => sections.of(each))).toEqual(
        docs.slice(0, nth + 1).map((_, at) => at + 1),
      )
    }
    expect([2, 1022, 2046, 4094, 299_999, 300_001].map((doc) => sections.of(doc))).toEqual([0, 0, 0, 0, 0, 0])
    // Two bytes for each document, and no more than twice as many documents as there are.
    expect(sections.memoryBytes).toBeLessThan(2 * 2 * 300_001)
  })

  it('are those of the folder above when all numbers are used up', () => {
    const sections = new Sections()
    for (let nth = 0; nth < 65_534; nth++) sections.place(nth, `/a/f${nth}/page`)
    const [first, last] = [sections.of(0), sections.of(65_533)]
    const above = sections.parents[first]!
    expect([above, first, last]).toEqual([1, 2, 65_535])
    expect(sections.parents).toHaveLength(2 ** 16)
    const late = ['/a/new/page', '/a/f0/new/page', '/new/page', '/new/newer/page', '/a/f65533/page', '/a/page']
    for (const [nth, key] of late.entries()) sections.place(70_000 + nth, key)
    expect(late.map((_, nth) => sections.of(70_000 + nth))).toEqual([above, first, 0, 0, last, above])
    expect(sections.parents).toHaveLength(2 ** 16)
    expect([sections.of(0), sections.of(65_533)]).toEqual([first, last])
  })

  it('are as many as there are folders, each below the one above, for random keys', () => {
    withSeed('sections', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 10; round++) {
        const keys = Array.from({ length: 200 }, () => randomKey(random))
        const { sections, numbers } = sectionsOf(...keys)
        // By path; JSON, as no separator is safe.
        const numberOf = new Map([['[]', 0]])
        for (const [doc, key] of keys.entries()) {
          const folders = foldersOf(key)
          let section = numbers[doc]!
          for (let depth = folders.length; depth > 0; depth--) {
            const path = JSON.stringify(folders.slice(0, depth))
            expect(numberOf.get(path) ?? section).toBe(section)
            numberOf.set(path, section)
            expect(sections.parents[section]).toBeLessThan(section)
            section = sections.parents[section]!
          }
          expect(section).toBe(0)
        }
        expect(new Set(numberOf.values()).size).toBe(numberOf.size)
        expect(sections.parents).toHaveLength(numberOf.size)
      }
    })
  })

  it('are numbered on where another ledger has left them, whatever was asked about in between', () => {
    withSeed('sections taken over', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 10; round++) {
        const keys = Array.from({ length: 300 }, () => randomKey(random))
        const twin = sectionsOf(...keys).sections
        const known = random.int(300)
        const sections = new Sections()
        sections.place(0, '/of/another/site')
        const { parents, names, byDocument } = sectionsOf(...keys.slice(0, known)).sections.parts()
        sections.takeOver({ parents: [...parents], names: [...names], byDocument: byDocument.slice() })
        const mapping = sections.mapping()
        for (let doc = known; doc < keys.length; doc++) {
          if (random.chance(0.3)) mapping.next()
          sections.place(doc, keys[doc]!)
        }
        expect(keys.map((_, doc) => sections.of(doc))).toEqual(keys.map((_, doc) => twin.of(doc)))
        expect(sections.parents).toEqual(twin.parents)
        expect(sections.parts().names).toEqual(twin.parts().names)
      }
    })
  })
})

function randomKey(random: SeededRandom): Key {
  if (random.chance(0.1)) return random.int(100)
  const start = random.pick(['', '/', 'https://a.example/', 'https://b.example/', 'a.example/'])
  const names = Array.from({ length: random.int(12) }, () =>
    random.pick(['a', 'b', 'constructor', '__proto__', 'é', '']),
  )
  return start + [...names, 'page'].join('/') + random.pick(['', '?a/b', '#c/d', '/'])
}
