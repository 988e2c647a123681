import { describe, expect, it } from 'vitest'
import { TurnQueue } from '../../src/base/turns.js'

/** Work that ends when told to. */
function stepwise(log: string[], name: string) {
  let finish = (_error?: Error) => {}
  const work = () => {
    log.push(`${name} begins`)
    return new Promise<string>((resolve, reject) => {
      finish = (error) => {
        log.push(`${name} ends`)
        if (error) reject(error)
        else resolve(name)
      }
    })
  }
  return { work, finish: (error?: Error) => finish(error) }
}

const ticks = () => new Promise((resolve) => setImmediate(resolve))

describe('a queue of turns', () => {
  it('begins within the call when idle', () => {
    const log: string[] = []
    const queue = new TurnQueue()
    expect(queue.isIdle).toBe(true)
    queue.run(stepwise(log, 'a').work)
    expect(log).toEqual(['a begins'])
    expect(queue.isIdle).toBe(false)
  })

  it('runs one at a time, in order', async () => {
    const log: string[] = []
    const queue = new TurnQueue()
    const [a, b] = [stepwise(log, 'a'), stepwise(log, 'b')]
    const results = Promise.all([queue.run(a.work), queue.run(b.work)])
    await ticks()
    a.finish()
    await ticks()
    b.finish()
    expect(await results).toEqual(['a', 'b'])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
    await queue.settled()
    expect(queue.isIdle).toBe(true)
  })

  it('begins nothing inside of what begins', async () => {
    const log: string[] = []
    const queue = new TurnQueue()
    let inner: Promise<unknown> | undefined
    await queue.run(async () => {
      log.push('a begins')
      inner = queue.run(async () => log.push('b'))
      log.push('a ends')
    })
    await inner
    expect(log).toEqual(['a begins', 'a ends', 'b'])
    expect(queue.isIdle).toBe(true)
  })

  it('goes on after a failure', async () => {
    const log: string[] = []
    const queue = new TurnQueue()
    const a = stepwise(log, 'a')
    const failed = expect(queue.run(a.work)).rejects.toThrow('a failed')
    const after = queue.run(async () => 'b')
    a.finish(new Error('a failed'))
    await failed
    expect(await after).toBe('b')
  })

  it('is settled only when all has, also what was added meanwhile', async () => {
    const log: string[] = []
    const queue = new TurnQueue()
    const a = stepwise(log, 'a')
    queue.run(a.work)
    const settled = queue.settled().then(() => log.push('settled'))
    queue.run(async () => log.push('b'))
    a.finish()
    await settled
    expect(log).toEqual(['a begins', 'a ends', 'b', 'settled'])
    await new TurnQueue().settled()
  })
})
