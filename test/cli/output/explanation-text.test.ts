import { expect, test } from 'vitest'
import { explanationText } from '../../../src/cli/output/explanation-text.js'
import { DAY_MS, openOrchard, PAGES, START } from '../../refresh/orchard.js'

test.each([
  [1e-12, 'gained less than 0.01% of what refreshing everything now would gain'],
  [0, 'gained nothing'],
])('a past gain of %d is worded for people', async (deltaQuality, words) => {
  await using index = await openOrchard()
  const explanation = index.refresh.explain(PAGES[0]!.url, { at: START + 30 * DAY_MS })!
  const text = explanationText({ ...explanation, history: [{ intervalMs: DAY_MS, deltaQuality }] })
  expect(text).toMatch(new RegExp(`^ +after 24 hours +${words}$`, 'm'))
})
