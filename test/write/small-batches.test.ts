/** Small batches are written on the calling thread: no other thread, and no turn of the event loop, is waited for. */
import { describe, expect, test } from 'vitest'
import { Freshdex } from '../../src/index.js'
import { holdCatalog } from '../storage/held-catalog.js'
import { newPath } from '../storage/temporary-folder.js'

interface Page {
  readonly url: string
  readonly body: string
}

const OPTIONS = { key: 'url', fields: { body: {} } } as const

function page(number: number, words = 60): Page {
  return {
    url: `/${number}`,
    body: Array.from({ length: words }, (_, at) => `word${(number * 7 + at) % 999}`).join(' '),
  }
}

/** Whether the event loop had something else to do before the work was done: its ticks come when no promise is due. */
async function takesTurns(work: () => Promise<unknown>): Promise<boolean> {
  let isDone = false
  let hasTurned = false
  process.nextTick(() => {
    hasTurned = !isDone
  })
  await work()
  isDone = true
  return hasTurned
}

/** Waits for what an earlier write has left to the threads. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
}

const PLACES: readonly (readonly [where: string, path: () => string])[] = [
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
]

describe.each(PLACES)('an index %s', (_, path) => {
  test.each([true, false])('writes a page without a turn of the event loop, prioritizer: %s', async (prioritizer) => {
    const index = await Freshdex.open<Page>(path(), { ...OPTIONS, prioritizer })
    await index.write({ put: [page(1), page(2)] })
    await settled()
    // On a busy machine the time for it may be over before the write is: then it takes a turn now and then.
    const turns: boolean[] = []
    for (let number = 3; number < 20; number++) {
      turns.push(await takesTurns(() => index.write({ put: [page(1), page(number)], remove: ['/2'] })))
    }
    expect(turns).toContain(false)
    expect(index.get('/1')).toEqual(page(1))
    expect(index.get('/2')).toBe(undefined)
    expect(index.search('word21', { limit: 5 }).hits.map(({ key }) => key)).toContain('/3')
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    await index.close()
  })

  test('leaves what is not small to other threads', async () => {
    const index = await Freshdex.open<Page>(path(), { ...OPTIONS, prioritizer: false })
    const long = page(1, 200_000)
    await index.write({ put: [page(0)] })
    for (const batch of [
      { put: [long] },
      { put: Array.from({ length: 17 }, (_, at) => page(at + 2)) },
      { remove: Array.from({ length: 17 }, (_, at) => `/${at + 100}`) },
      // The page itself is small, and what it takes the place of is not.
      { put: [page(1)] },
    ]) {
      await settled()
      expect([batch, await takesTurns(() => index.write(batch))]).toEqual([batch, true])
    }
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    await index.close()
  })

  test('lets the event loop turn while pages are written one after another', async () => {
    const index = await Freshdex.open<Page>(path(), { ...OPTIONS, prioritizer: false })
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    for (let number = 0; number < 2000; number++) await index.write({ put: [page(number % 50, 100 + (number % 9))] })
    isDone = true
    expect(turns).toBeGreaterThan(10)
    await index.close()
  })

  test('keeps the order of batches of all sizes that are written at once', async () => {
    const index = await Freshdex.open<Page>(path(), OPTIONS)
    const writes: Promise<unknown>[] = []
    for (let round = 0; round < 60; round++) {
      const isLarge = round % 7 === 3
      const put = Array.from({ length: isLarge ? 40 : 1 }, (_, at) => ({ url: `/${at}`, body: `round${round} all` }))
      writes.push(index.write({ put }))
    }
    await Promise.all(writes)
    expect(index.get('/0')?.body).toBe('round59 all')
    expect(index.get('/39')?.body).toBe('round59 all')
    expect(index.search('all').total).toBe(40)
    expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    await index.close()
  })
})

describe('an index in a folder', () => {
  test('waits for the disk where a write has to survive a loss of power', async () => {
    const index = await Freshdex.open<Page>(newPath(), { ...OPTIONS, durability: 'power' })
    await index.write({ put: [page(1)] })
    await settled()
    expect(await takesTurns(() => index.write({ put: [page(2)] }))).toBe(true)
    await index.close()
  })

  test('has another program waited for by its thread', async () => {
    const folder = newPath()
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    for (const number of [1, 2, 3]) await index.write({ put: [page(number)] })
    await settled()
    const release = holdCatalog(folder)
    const writing = index.write({ put: [page(4)] })
    await settled()
    expect(index.get('/4')).toBe(undefined)
    release()
    expect(await writing).toMatchObject({ added: 1 })
    expect(index.get('/4')).toEqual(page(4))
    await index.close()
    const again = await Freshdex.open<Page>(folder)
    expect(again.stats().documents).toBe(4)
    expect(await again.check()).toMatchObject({ ok: true, faults: [] })
    await again.close()
  })
})
