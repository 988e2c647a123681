import { describe, expect, it } from 'vitest'
import { ChangeSignals } from '../../../src/lab/choosers/change-signals.js'
import { seededRandom, withSeed } from '../../support/seed.js'
import { scoredWorld } from '../quality/scored-worlds.js'

const PAGES = 2000
const STEPS = 40

/** Every page changes at a step with this probability; also who changed when. */
function changingWorld(probability: number, seed: number) {
  const random = seededRandom('changing world', seed)
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const pages = Array.from({ length: PAGES }, (_, page) => page)
    return new Map(pages.filter(() => step === 0 || random.chance(probability)).map((page) => [page, { 0: 1 }]))
  })
  return { timeline: scoredWorld(PAGES, [1], steps).timeline, steps }
}

describe('change signals', () => {
  it('that are reliable say exactly what changed since the last refresh', () => {
    withSeed('reliable', (seed) => {
      const { timeline, steps } = changingWorld(0.05, seed)
      const signals = new ChangeSignals(timeline, { missRate: 0, falseAlarmRate: 0 }, seed)
      const hasChanged = new Set<number>()
      for (let step = 1; step < STEPS; step++) {
        signals.take(step)
        for (const page of steps[step]!.keys()) hasChanged.add(page)
        for (let page = 0; page < PAGES; page++) expect(signals.changeChance(page)).toBe(hasChanged.has(page) ? 1 : 0)
        for (let page = step % 7; page < PAGES; page += 7) {
          signals.refreshed(page)
          hasChanged.delete(page)
        }
      }
    })
  })

  it('that are not give chances that come true as often as they say', () => {
    withSeed('unreliable', (seed) => {
      const { timeline, steps } = changingWorld(0.05, seed)
      const signals = new ChangeSignals(timeline, { missRate: 0.3, falseAlarmRate: 0.03 }, seed)
      const hasChanged = new Set<number>()
      const bins = Array.from({ length: 5 }, () => ({ said: 0, true: 0, count: 0 }))
      for (let step = 1; step < STEPS; step++) {
        signals.take(step)
        for (const page of steps[step]!.keys()) hasChanged.add(page)
        for (let page = step % 20; page < PAGES; page += 20) {
          const chance = signals.changeChance(page)
          const bin = bins[Math.min(4, Math.floor(chance * 5))]!
          bin.count++
          bin.said += chance
          if (hasChanged.has(page)) bin.true++
          signals.refreshed(page)
          hasChanged.delete(page)
        }
      }
      for (const { said, true: cameTrue, count } of bins)
        if (count > 200) expect(Math.abs(said - cameTrue) / count).toBeLessThan(0.08)
      expect(bins.filter(({ count }) => count > 200).length).toBeGreaterThan(2)
    })
  })

  it('say nothing when every change is missed, and everything when nothing is', () => {
    const { timeline } = changingWorld(0.05, 1)
    const deaf = new ChangeSignals(timeline, { missRate: 1, falseAlarmRate: 0 }, 1)
    deaf.take(1)
    const chances = new Set(Array.from({ length: PAGES }, (_, page) => deaf.changeChance(page)))
    expect(chances.size).toBe(1)
  })

  it('have rates from 0 to 1', () => {
    const { timeline } = changingWorld(0.05, 1)
    expect(() => new ChangeSignals(timeline, { missRate: -0.1, falseAlarmRate: 0 }, 1)).toThrow(
      'missRate must be a finite number from 0 to 1, received -0.1',
    )
    expect(() => new ChangeSignals(timeline, { missRate: 0, falseAlarmRate: 2 }, 1)).toThrow('falseAlarmRate')
  })
})
