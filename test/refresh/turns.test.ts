/** What is asked for while writes are under way is about the documents that are there when it is its turn. */
import { expect, test } from 'vitest'
import { DAY_MS, openOrchard, page, START, url } from './orchard.js'

test('an observation of a document that a write before it removes is refused, and recorded for no other', async () => {
  const index = await openOrchard()
  const written = index.write({ remove: [url(3)], put: [page(20)] }, { at: START + DAY_MS })
  // A good one before it: all are recorded or none.
  const observed = index.refresh.observeAll([
    [url(4), { outcome: 'same', at: START + 2 * DAY_MS }],
    [url(3), { outcome: 'gone', at: START + 2 * DAY_MS }],
  ])
  await expect(observed).rejects.toThrow(RangeError)
  await written
  expect(index.refresh.explain(url(4))).toMatchObject({ refreshes: 0, lastOutcome: 'new' })
  expect(index.refresh.explain(url(20))).toMatchObject({ refreshes: 0, lastOutcome: 'new' })
  expect((await index.refresh.next({ budget: 100, at: START + 3 * DAY_MS })).pages).toHaveLength(
    index.stats().documents,
  )
  await index.close()
})

test('the expected gain is that of the default policy, whatever compares the documents', async () => {
  const index = await openOrchard(':memory:', { refresh: { policy: 'oldest-first' } })
  const at = START + 9 * DAY_MS
  const [first] = (await index.refresh.next({ budget: 1, at })).pages
  const { pages } = await index.refresh.next({ budget: 100, at, policy: 'user-centric-shrunk' })
  const [sameFirst] = pages.filter(({ key }) => key === first?.key)
  expect(first?.priority).toBe(first?.ageMs)
  expect(first?.expectedGain).toBe(sameFirst?.expectedGain)
  expect(first?.expectedGain).toBeLessThan(1)
  await index.close()
})
