import { describe, expect, it } from 'vitest'
import { runOnThreads } from '../../../src/lab/frame/threads.js'

const script = new URL('./squares-thread.mjs', import.meta.url)

interface Task {
  readonly value: number
  readonly act?: 'refuse' | 'damaged' | 'end' | 'hang' | 'slow'
}

function run(tasks: readonly Task[], workers: number, onResult?: (result: { square: number }, at: number) => void) {
  const input = { offset: 1 }
  return runOnThreads<Task, { square: number }>(tasks, { script, input, workers, ...(onResult && { onResult }) })
}

describe('tasks on threads', () => {
  it('have their results in the order of the tasks, whatever the number of threads', async () => {
    const tasks: Task[] = [
      { value: 0, act: 'slow' },
      { value: 1 },
      { value: 2 },
      { value: 3, act: 'slow' },
      { value: 4 },
    ]
    for (const workers of [1, 2, 3, 9]) {
      const told: [number, number][] = []
      const results = await run(tasks, workers, ({ square }, at) => told.push([at, square]))
      expect(results.map(({ square }) => square)).toEqual([1, 2, 5, 10, 17])
      expect(told.toSorted(([a], [b]) => a - b)).toEqual([1, 2, 5, 10, 17].map((square, at) => [at, square]))
    }
  })

  it('may be none', async () => {
    expect(await run([], 4)).toEqual([])
  })

  it('give their own kind of failure to who asked, and end all threads', async () => {
    const around: Task[] = [{ value: 1 }, { value: 2, act: 'hang' }]
    await expect(run([...around, { value: 7, act: 'refuse' }], 3)).rejects.toThrow(new RangeError('7 is refused'))
    await expect(run([...around, { value: 7, act: 'damaged' }], 3)).rejects.toMatchObject({
      name: 'FreshdexError',
      code: 'CORRUPT',
      message: '7 is damaged',
    })
    await expect(run([...around, { value: 7, act: 'end' }], 3)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('are given up when their asker says so', async () => {
    const stop = new AbortController()
    const tasks: Task[] = [{ value: 1 }, { value: 2, act: 'hang' }]
    const onResult = () => stop.abort(new Error('enough'))
    const options = { script, input: { offset: 0 }, workers: 2, onResult, signal: stop.signal }
    await expect(runOnThreads(tasks, options)).rejects.toThrow('enough')
    await expect(runOnThreads(tasks, options)).rejects.toThrow('enough')
  })

  it('refuse a number of threads that is none', async () => {
    await expect(run([{ value: 1 }], 0)).rejects.toThrow('workers must be an integer of at least 1, received 0')
    await expect(run([{ value: 1 }], 1.5)).rejects.toThrow(RangeError)
  })
})
