import { expect, test } from 'vitest'
import { newPageSentence, planSentence } from '../../src/plan/plan-sentence.js'

const WITH_NEW_PAGES = {
  ...{ refreshes: 3, newPages: 2, cost: 5, isCountedInFetches: true, hasQueries: true },
  ...{ hasStakes: true, learntShare: 1 },
  ...{ qualityNow: undefined, quality: undefined, target: undefined, isReached: undefined },
}

test.each([
  [0.061, 'as much as 6.1% of what'],
  [1, 'as much as 100% of what'],
  [1.5, 'as much as 150% of what'],
  [2129, 'as much as 2,129 times what'],
])('a gain of new pages of %d is worded for people', (expectedGain, words) => {
  const gain = `${words} refreshing everything now would gain.`
  expect(planSentence({ ...WITH_NEW_PAGES, expectedGain })).toBe(`3 refreshes and 2 new pages recover ${gain}`)
  expect(newPageSentence({ inlinks: 1, impact: 0, expectedGain })).toBe(
    `Never fetched; 1 link to it. It should add ${gain}`,
  )
})

test('where no page has a stake, a plan recovers no share of anything', () => {
  const facts = { ...WITH_NEW_PAGES, newPages: 0, expectedGain: 1, hasStakes: false }
  const alone = 'No page answers what people ask, so documents are planned by age and history alone.'
  expect(planSentence(facts)).toBe(`3 refreshes. ${alone}`)
  expect(planSentence({ ...facts, newPages: 2 })).toBe(`3 refreshes and 2 new pages. ${alone}`)
  // Queries without a curve may have answers.
  expect(planSentence({ ...facts, learntShare: 0.5 })).toBe('3 refreshes.')
  expect(planSentence({ ...facts, refreshes: 0 })).toBe('Nothing to do: no page may be fetched within these limits.')
  expect(planSentence({ ...facts, hasStakes: true })).toBe('3 refreshes recover 100% of what can be gained now.')
})

test('a page without any gain says nothing of one', () => {
  expect(newPageSentence({ inlinks: 0, impact: 0, expectedGain: 0 })).toBe('Never fetched.')
})

test.each([
  [0.9, 0.95, 'from 90% to 95%'],
  [0.9946, 0.9953, 'from 99.46% to 99.53%'],
  [0.99961, 0.99972, 'from 99.96% to 99.97%'],
  [0.9950001, 0.9950002, 'staying at about 99.5%'],
])(
  'a target says how quality moves from %d to %d, and never from a number to the same',
  (qualityNow, quality, words) => {
    const facts = {
      ...WITH_NEW_PAGES,
      newPages: 0,
      expectedGain: 0.5,
      target: 0.9,
      isReached: true,
      qualityNow,
      quality,
    }
    expect(planSentence(facts)).toBe(`90% up to date takes 3 fetches: ${words} of today's answers.`)
  },
)
