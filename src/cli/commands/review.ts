import type { Review } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { isoTime, TIME_RULE } from '../input/values.js'
import { INDEX_FOLDER, optional, time } from '../options.js'
import { count, percent, significant, table, thousands } from '../output/wording.js'

export const review = command({
  name: 'review',
  summary: 'whether refreshes have gained what was expected of them, day by day',
  args: [INDEX_FOLDER],
  options: {
    since: optional('<time>', `days from this moment on: ${TIME_RULE}`, time),
    until: optional('<time>', 'days up to this moment', time),
  },
  examples: ['freshdex review pages.idx', 'freshdex review pages.idx --since 2026-11-01 --json'],
  async run([dir], { json: _, ...range }) {
    const review = await withReader(dir, (index) => index.refresh.review(range))
    return { json: review, text: reviewText(review) }
  },
})

const HEADER = ['day', 'refreshes', 'changed', 'expected', 'gained', 'expected', 'nine of ten times', '']

function reviewText(review: Review): string {
  if (review.days.length === 0) return 'no refreshes that anything was expected of'
  const rows = review.days.map((day) => [
    isoTime(day.from).slice(0, 10),
    thousands(day.refreshes),
    thousands(day.changes),
    significant(day.expectedChanges),
    significant(day.deltaQuality),
    significant(day.expectedDeltaQuality),
    `${significant(day.low)} to ${significant(day.high)}`,
    day.isWithin ? '' : day.deltaQuality < day.low ? 'less' : 'more',
  ])
  const { deltaQuality, expectedDeltaQuality, refreshes, changes, expectedChanges, ratio, withinShare } = review
  const done = `${count(refreshes, 'refresh', 'refreshes')}, ${thousands(changes)} changed`
  const measured = `${significant(deltaQuality)}${ratio === undefined ? '' : `, ${percent(ratio)} of it`}`
  return [
    table([HEADER, ...rows]),
    `${done} where ${significant(expectedChanges)} were expected`,
    `expected gain ${significant(expectedDeltaQuality)}, measured ${measured}; ` +
      `${percent(withinShare ?? 0)} of the days as expected`,
  ].join('\n')
}
