import { describe, expect, it } from 'vitest'
import { frequentClock } from '../../src/core/frequent-clock.js'

/** A thread that works or sleeps, and how often its clock was asked. */
function threadOf() {
  const thread = { wallUs: 1e6, cpuUs: 500, asked: 0 }
  const clock = frequentClock(
    () => {
      thread.asked++
      return thread.cpuUs
    },
    () => thread.wallUs / 1000,
  )
  const pass = (wallUs: number, { worked }: { worked: number }) => {
    thread.wallUs += wallUs
    thread.cpuUs += worked
  }
  return { thread, clock, pass }
}

describe('a clock that may be asked very often', () => {
  it('asks the system once in twenty microseconds of work, and says the same', () => {
    const { thread, clock, pass } = threadOf()
    expect(clock()).toBe(500)
    for (let step = 0; step < 1000; step++) {
      pass(2, { worked: 2 })
      expect(clock()).toBeCloseTo(thread.cpuUs, 6)
    }
    expect(thread.asked).toBeLessThan(100)
  })

  it('does not count sleep', () => {
    const { clock, pass } = threadOf()
    const before = clock()
    pass(1e6, { worked: 0 })
    expect(clock() - before).toBe(0)
    pass(1e6, { worked: 300 })
    expect(clock() - before).toBeCloseTo(300, 6)
  })

  it('is wrong by twenty microseconds at most, and never goes back', () => {
    const { thread, clock, pass } = threadOf()
    let last = clock()
    for (let step = 0; step < 1000; step++) {
      // Nothing but short breaks, which it takes for work.
      pass(step % 7, { worked: 0 })
      const now = clock()
      expect(now).toBeGreaterThanOrEqual(last)
      expect(now - thread.cpuUs).toBeLessThanOrEqual(20.001)
      last = now
    }
  })
})
