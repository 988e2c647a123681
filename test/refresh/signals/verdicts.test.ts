import { describe, expect, it } from 'vitest'
import { kindBit } from '../../../src/ledger/signals.js'
import {
  judgeDate,
  judgeProbes,
  type KnownPage,
  type PageProbe,
} from '../../../src/refresh/signals/readers/verdicts.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const PAGE: KnownPage = { refreshedMs: 100, signalKinds: 0, etag: undefined }
const probe = (atMs: number, etag?: string, status?: number, lastModifiedMs?: number): PageProbe => {
  return { atMs, etag, status, lastModifiedMs }
}

describe('a date', () => {
  it.each([
    [101, 200, 0, 'changed'],
    [100, 200, 0, 'same'],
    [5, 100, 0, 'same'],
    [99, 99, 0, 'outdated'],
    [101, 200, kindBit('sitemap') | kindBit('push'), 'repeated'],
    [101, 200, kindBit('feed'), 'changed'],
    [100, 200, kindBit('sitemap'), 'same'],
  ])('of %d heard at %d, with the signals %d', (valueMs, atMs, signalKinds, says) => {
    expect(judgeDate('sitemap', valueMs, atMs, { ...PAGE, signalKinds })).toMatchObject({ says, atMs, valueMs })
  })
})

describe('looks at a page', () => {
  const told = (probes: readonly PageProbe[], page: Partial<KnownPage> = {}) => {
    const { verdicts, outcome } = judgeProbes(probes, { ...PAGE, ...page })
    return [
      ...verdicts.map(({ kind, says, atMs }) => `${kind} ${says} ${atMs}`),
      ...(outcome ? [`${outcome.outcome} ${outcome.atMs}`] : []),
    ]
  }

  it('compare ETags with the last one before the refresh', () => {
    expect(told([probe(50, 'a'), probe(90, 'b'), probe(110, 'b'), probe(120, 'c'), probe(130, 'd')])).toEqual([
      'etag changed 120',
    ])
    expect(told([probe(50, 'a'), probe(100, 'b'), probe(110, 'b'), probe(120)])).toEqual(['etag same 110'])
    expect(told([probe(110, 'a'), probe(120, 'a')])).toEqual(['etag same 120'])
    expect(told([probe(110, 'a')])).toEqual([])
    expect(told([probe(50, 'a'), probe(90, 'b')])).toEqual([])
  })

  it('compare them with that of the copy where it is known', () => {
    expect(told([probe(90, 'x'), probe(110, 'a')], { etag: 'a' })).toEqual(['etag same 110'])
    expect(told([probe(90, 'b'), probe(110, 'b')], { etag: 'a' })).toEqual(['etag changed 110'])
    expect(told([probe(110, 'b')], { etag: 'a', signalKinds: kindBit('etag') })).toEqual(['etag repeated 110'])
  })

  it('take dates for what they say', () => {
    expect(
      told([probe(110, undefined, 200, 90), probe(120, undefined, 200, 105), probe(130, undefined, 200, 90)]),
    ).toEqual(['last-modified changed 120'])
    expect(told([probe(90, 'a', 200, 80), probe(110, 'b', 200, 100)])).toEqual([
      'etag changed 110',
      'last-modified same 110',
    ])
  })

  it('find pages gone, or the same', () => {
    expect(told([probe(110, undefined, 404)])).toEqual(['gone 110'])
    expect(told([probe(90, undefined, 410)])).toEqual([])
    expect(told([probe(110, undefined, 410), probe(120, 'a', 200)])).toEqual([])
    expect(told([probe(110, undefined, 304), probe(120, undefined, 404)])).toEqual(['gone 120'])
    expect(told([probe(110, undefined, 304), probe(120, undefined, 304)])).toEqual(['same 120'])
    expect(told([probe(90, 'a'), probe(110, 'a', 304), probe(120, 'b', 200)])).toEqual(['etag changed 120', 'same 110'])
  })

  it('do not take a 304 for the copy when the page has changed since, as was seen', () => {
    // Whoever looked knew of b already.
    expect(told([probe(90, 'a'), probe(110, 'b', 200), probe(120, 'b', 304), probe(130, undefined, 304)])).toEqual([
      'etag changed 110',
    ])
    expect(told([probe(110, undefined, 304)], { signalKinds: kindBit('etag') })).toEqual([])
    expect(told([probe(110, undefined, 304)], { signalKinds: kindBit('last-modified') })).toEqual([])
    expect(told([probe(110, undefined, 304)], { signalKinds: kindBit('feed') })).toEqual(['same 110'])
    // This is an answer to the signal.
    expect(told([probe(110, 'a', 304)], { signalKinds: kindBit('etag'), etag: 'a' })).toEqual([
      'etag same 110',
      'same 110',
    ])
    expect(told([probe(110, undefined, 304)], { signalKinds: kindBit('etag'), etag: 'a' })).toEqual([])
  })

  it('give the ETag verdicts of a reading from the end', () => {
    withSeed('probes', (seed) => {
      const random = new SeededRandom(seed)
      for (let nth = 0; nth < 5000; nth++) {
        const probes = Array.from({ length: random.int(6) }, () =>
          probe(random.between(95, 105), random.pick(['a', 'b', undefined])),
        )
        probes.sort((one, other) => one.atMs - other.atMs)
        const etag = random.pick(['a', undefined])
        const { verdicts } = judgeProbes(probes, { ...PAGE, etag })
        const tagged = probes.filter((each) => each.etag !== undefined)
        const later = tagged.filter(({ atMs }) => atMs > 100)
        const own = etag ?? tagged.findLast(({ atMs }) => atMs <= 100)?.etag
        const compared = own === undefined ? later.slice(1) : later
        const other = compared.find((each) => each.etag !== (own ?? later[0]?.etag))
        const expected =
          compared.length === 0 ? [] : [{ says: other ? 'changed' : 'same', atMs: (other ?? compared.at(-1))?.atMs }]
        expect(verdicts.map(({ says, atMs }) => ({ says, atMs }))).toEqual(expected)
      }
    })
  })
})
