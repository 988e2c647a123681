import { describe, expect, it } from 'vitest'
import { ChangeProfiles } from '../../../../src/lab/experiments/longevity/change-profiles.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'

const apart = (base: number, now: number) => Math.min(1, Math.abs(now - base) / 10)

describe('change profiles', () => {
  it('are extended by every refresh, which begins one of its own', () => {
    const kept = new ChangeProfiles<number>({ difference: apart })
    expect(kept.profiles).toEqual([])
    kept.add(10, 0)
    expect(shown(kept)).toEqual([{ baseMs: 10, agesMs: [], divergences: [] }])
    kept.add(12, 2)
    kept.add(15, 2)
    kept.add(23, 3)
    expect(shown(kept)).toEqual([
      { baseMs: 10, agesMs: [2, 5, 13], divergences: [0.2, 0.2, 0.3] },
      { baseMs: 12, agesMs: [3, 11], divergences: [0, 0.1] },
      { baseMs: 15, agesMs: [8], divergences: [0.1] },
      { baseMs: 23, agesMs: [], divergences: [] },
    ])
  })

  it('are those of the last refreshes, as a plain list of all versions has them', () => {
    withSeed('profiles', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const [profiles, observations] = [random.between(2, 6), random.between(1, 8)]
        const kept = new ChangeProfiles<number>({ profiles, observations, difference: apart })
        const versions: { atMs: number; value: number }[] = []
        for (let atMs = 0; versions.length < 15; atMs += random.between(1, 9)) {
          versions.push({ atMs, value: random.int(12) })
          kept.add(atMs, versions.at(-1)!.value)
          const expected = versions
            .map((base, at) => ({ base, later: versions.slice(at + 1, at + 1 + observations) }))
            .slice(-profiles)
          expect(shown(kept)).toEqual(
            expected.map(({ base, later }) => ({
              baseMs: base.atMs,
              agesMs: later.map((version) => version.atMs - base.atMs),
              divergences: later.map((version) => apart(base.value, version.value)),
            })),
          )
        }
      }
    })
  })

  it('that are single are kept until they are full', () => {
    const kept = new ChangeProfiles<number>({ profiles: 1, observations: 3, difference: apart })
    const seen = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((atMs) => {
      kept.add(atMs, atMs)
      return `${kept.profiles[0]!.baseMs}: ${kept.profiles[0]!.agesMs.join(' ')}`
    })
    expect(seen).toEqual(['0: ', '0: 1', '0: 1 2', '0: 1 2 3', '4: ', '4: 1', '4: 1 2', '4: 1 2 3', '8: '])
    expect(kept.profiles.length).toBe(1)
  })

  it('refuse a time that is not later, and options that are none', () => {
    const kept = new ChangeProfiles<number>({ difference: apart })
    kept.add(5, 1)
    expect(() => kept.add(5, 1)).toThrow(/atMs must be above 5, the refresh before, received 5/)
    expect(() => kept.add(Number.NaN, 1)).toThrow(RangeError)
    expect(kept.profiles.length).toBe(1)
    expect(() => new ChangeProfiles({ profiles: 0, difference: apart })).toThrow(/profiles must be an integer/)
    expect(() => new ChangeProfiles({ observations: 1.5, difference: apart })).toThrow(
      /observations must be an integer/,
    )
    expect(() => new ChangeProfiles({} as never)).toThrow(/difference must be a function/)
  })
})

/** Without the summaries, which are nobody's business. */
function shown(kept: ChangeProfiles<number>) {
  return kept.profiles.map(({ baseMs, agesMs, divergences }) => ({ baseMs, agesMs, divergences }))
}
