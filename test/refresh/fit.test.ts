/** Fits that are asked for while one goes on beside the writes. */
import { Freshdex } from 'freshdex'
import { expect, it } from 'vitest'

interface Page {
  readonly url: string
  readonly text: string
}

const PAGES = 400

/** Lengths change from round to round, so that scores drift and curves become stale. */
function pagesOf(round: number): Page[] {
  const words = 'moss stone '.repeat(1 + round * 3)
  return Array.from({ length: PAGES }, (_, at) => ({
    url: `p${at}`,
    text: `${words}${'fern '.repeat((at % 7) + round)}`,
  }))
}

async function openMeasured(): Promise<Freshdex<Page>> {
  const workload = { learn: false, halfLifeMs: Number.POSITIVE_INFINITY }
  const index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { text: {} }, workload })
  await index.write({ put: pagesOf(0) })
  index.workload.record('moss fern', { count: 3 })
  await index.refresh.fit()
  return index
}

it('fit() right after a write that began a fit of its own resolves, and the curves are those of now', async () => {
  const index = await openMeasured()
  for (let round = 1; round <= 5; round++) {
    await index.write({ put: pagesOf(round) })
    await index.refresh.fit()
  }
  const stakes = pagesOf(0).map(({ url }) => index.refresh.explain(url)!.stake)
  await index.refresh.fit()
  expect(pagesOf(0).map(({ url }) => index.refresh.explain(url)!.stake)).toEqual(stakes)
  expect(index.stats().measurement.failure).toBeUndefined()
  expect((await index.check()).ok).toBe(true)
  await index.close()
})

it('writes, fits and the closing may be asked for at once', async () => {
  const index = await openMeasured()
  const rounds = [1, 2, 3, 4].flatMap((round) => [index.write({ put: pagesOf(round) }), index.refresh.fit()])
  await index.close()
  await Promise.all(rounds)
})
