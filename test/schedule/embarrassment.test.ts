/** The weights of "Optimal crawling strategies", section 2.2, and the clicks of its Figure 3. */
import { describe, expect, it } from 'vitest'
import { clickFrequencies, embarrassmentWeight } from '../../src/schedule/embarrassment.js'

describe('the frequencies of clicks', () => {
  it('fall like 1 / place, and by a factor from one result page to the next', () => {
    const clicks = clickFrequencies({ places: 2, pages: 2, onward: 0.5 })
    const harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    expect(clicks[0]![0]).toBeCloseTo(1 / harmonic, 12)
    expect(clicks[1]![0]).toBeCloseTo(1 / 2 / harmonic, 12)
    expect(clicks[0]![1]).toBeCloseTo(0.5 / 3 / harmonic, 12)
    expect(clicks[1]![1]).toBeCloseTo(0.5 / 4 / harmonic, 12)
  })

  it('are those of the paper unless told: five result pages of ten places', () => {
    const clicks = clickFrequencies()
    expect([clicks.length, clicks[0]!.length]).toEqual([10, 5])
    const even = clickFrequencies({ theta: 1, onward: 1 })
    expect(even.flat().every((click) => Math.abs(click - 1 / 50) < 1e-12)).toBe(true)
  })

  it('are what a weight goes by without clicks of its own', () => {
    const returned = [[0.5], [0.25]]
    const clicks = clickFrequencies({ places: 2, pages: 1 })
    expect(embarrassmentWeight({ incorrect: 0.5, returned })).toBe(
      embarrassmentWeight({ incorrect: 0.5, returned, clicks }),
    )
    expect(embarrassmentWeight({ incorrect: 1, returned: [] })).toBe(0)
  })

  it.each([
    [{ places: 1.5 }, /places must be an integer/],
    [{ pages: -1 }, /pages must be/],
    [{ theta: 2 }, /theta must be/],
    [{ onward: 1.5 }, /onward must be/],
  ])('are refused with %o', (options, message) => {
    expect(() => clickFrequencies(options)).toThrow(message)
  })
})
