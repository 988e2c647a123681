/** Closing: once, twice, too early, and what is left of the index afterwards. */
import { describe, expect, test } from 'vitest'
import { openSpecimen, PAGES, rejectionOf, thrownBy } from './specimen.js'

describe('close', () => {
  test('twice, one after the other and at the same time', async () => {
    const index = await openSpecimen()
    await Promise.all([index.close(), index.close()])
    await index.close()
    expect(thrownBy(() => index.search('fox')).kind).toBe('CLOSED')
  })

  test('while writes are under way lets them finish', async () => {
    const index = await openSpecimen()
    const settled: string[] = []
    const first = index.write({ put: [{ id: 'new', body: 'last words' }] }).then((report) => {
      settled.push('first')
      return report
    })
    const second = index.write({ remove: ['page 1'] }).then((report) => {
      settled.push('second')
      return report
    })
    const closing = index.close().then(() => settled.push('closed'))
    expect((await first).added).toBe(1)
    expect((await second).removed).toBe(1)
    await closing
    expect(settled).toEqual(['first', 'second', 'closed'])
  })

  test('while a large write is under way lets it finish', async () => {
    const index = await openSpecimen()
    const body = Array.from({ length: 20_000 }, (_, nth) => `w${nth}`).join(' ')
    const writing = index.write({
      put: Array.from({ length: 50 }, (_, nth) => ({ id: nth + 100, body: `${body} ${nth}` })),
    })
    await index.close()
    expect((await writing).added).toBe(50)
  })

  test('refuses what is called while it waits', async () => {
    const index = await openSpecimen()
    const writing = index.write({ put: [{ id: 'new', body: 'last words' }] })
    const closing = index.close()
    expect((await rejectionOf(() => index.write({ remove: ['new'] }))).kind).toBe('CLOSED')
    expect(thrownBy(() => index.get('new')).kind).toBe('CLOSED')
    await Promise.all([writing, closing])
  })

  test('while check and compact are under way lets them finish', async () => {
    const index = await openSpecimen()
    const [checking, compacting] = [index.check(), index.compact()]
    await index.close()
    expect((await checking).ok).toBe(true)
    await compacting
  })

  test('lets what changes the index finish, and ends long reads early with CLOSED', async () => {
    const index = await openSpecimen()
    for (const query of ['fox', 'lazy dogs', 'sings']) index.workload.record(query)
    await index.frontier.add(Array.from({ length: 200 }, (_, nth) => ({ url: `/new/${nth}`, anchors: ['fox'] })))
    async function* slowly() {
      for (let nth = 0; nth < 50; nth++) {
        await new Promise((resolve) => setImmediate(resolve))
        yield `query ${nth}`
      }
    }
    const changing = [
      index.write({ put: [{ id: 'new', body: 'last words' }] }),
      index.patch([['page 1', { note: 1 }]]),
      index.refresh.observe('page 1', { outcome: 'same' }),
      index.frontier.add([{ url: '/last' }]),
      index.compact(),
    ]
    const reading = [
      index.refresh.next({ budget: 3 }),
      index.plan({ budget: 3 }),
      index.frontier.next({ budget: 3 }),
      index.clusters.build(),
      index.workload.load(slowly()),
    ]
    const outcomes = Promise.allSettled(reading)
    const changes = Promise.allSettled(changing)
    await index.close()
    expect((await changes).map(({ status }) => status)).toEqual(changing.map(() => 'fulfilled'))
    for (const outcome of await outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CLOSED' })
  })

  test('waits for queries that are being counted', async () => {
    const index = await openSpecimen()
    const queries = Array.from({ length: 10_000 }, (_, nth) => `query ${nth}`)
    let closed: Promise<void> | undefined
    async function* whole() {
      yield* queries
      // Runs when the counting, which begins before that, lets others have a turn for the first time.
      setImmediate(() => {
        closed = index.close()
      })
    }
    const report = await index.workload.load(whole())
    expect(report).toMatchObject({ recorded: queries.length, skipped: 0 })
    await new Promise((resolve) => setImmediate(resolve))
    await closed
    expect(thrownBy(() => index.workload.record('fox')).kind).toBe('CLOSED')
  })

  test('is what await using does', async () => {
    const index = await openSpecimen()
    await index[Symbol.asyncDispose]()
    expect(thrownBy(() => index.stats()).kind).toBe('CLOSED')
  })

  test('of one index leaves the others open', async () => {
    const [one, other] = [await openSpecimen(), await openSpecimen()]
    await one.close()
    expect(other.search('fox').total).toBe(PAGES.length)
    await other.close()
  })
})

describe('close of a snapshot', () => {
  test('twice is once', async () => {
    const index = await openSpecimen()
    const snapshot = index.snapshot()
    snapshot.close()
    snapshot.close()
    expect(thrownBy(() => snapshot.search('fox')).kind).toBe('CLOSED')
    await index.close()
  })

  test('after the index is allowed', async () => {
    const index = await openSpecimen()
    const snapshot = index.snapshot()
    await index.close()
    snapshot.close()
    expect(thrownBy(() => snapshot.get('page 1')).kind).toBe('CLOSED')
  })

  test('is what using does', async () => {
    const index = await openSpecimen()
    const snapshot = index.snapshot()
    snapshot[Symbol.dispose]()
    expect(thrownBy(() => snapshot.stats()).kind).toBe('CLOSED')
    await index.close()
  })

  test('leaves the index and the other snapshots open', async () => {
    const index = await openSpecimen()
    const [one, other] = [index.snapshot(), index.snapshot()]
    await index.write({ remove: PAGES.slice(0, 20).map(({ id }) => id) })
    one.close()
    expect(other.search('fox').total).toBe(PAGES.length)
    expect(index.search('fox').total).toBe(PAGES.length - 20)
    other.close()
    await index.close()
  })
})
