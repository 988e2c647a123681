import type { Review, ReviewedDay } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { isoTime, TIME_RULE } from '../input/values.js'
import { INDEX_FOLDER, optional, time } from '../options.js'
import { COLUMNS } from '../output/advice-text.js'
import { percentCell, significant, table, thousands, wrapped } from '../output/wording.js'

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

const HEADER = ['day', 'refreshes', 'changed', 'expected', 'gained', 'nine of ten times', '']

const VERDICTS: Readonly<Record<ReviewedDay['verdict'], string>> = {
  'as-expected': 'as expected',
  'too-few-to-tell': 'too few to tell',
  'nothing-expected': 'nothing was expected',
  less: 'less than expected',
  more: 'more than expected',
}

function reviewText({ sentence, days }: Review): string {
  if (days.length === 0) {
    return 'No refresh is reviewed yet: those count that freshdex index and observe record once queries are known.'
  }
  const rows = days.map((day) => [
    isoTime(day.from).slice(0, 10),
    thousands(day.refreshes),
    thousands(day.changes),
    expectedText(day.expectedChanges),
    ofExpected(day.deltaQuality, day),
    `${ofExpected(day.low, day)} to ${ofExpected(day.high, day)}`,
    VERDICTS[day.verdict],
  ])
  return [...wrapped(sentence, COLUMNS), '', table([HEADER, ...rows]), '', ...wrapped(LEGEND, COLUMNS)].join('\n')
}

const LEGEND =
  'changed, expected: refreshes that found a change, and how many were expected to. gained: what they gained, as a ' +
  'share of what was expected; nine of ten times it should be in the range behind it.'

function expectedText(number: number): string {
  return number > 0 && number < 0.1 ? '<0.1' : significant(number)
}

function ofExpected(gain: number, { expectedDeltaQuality }: ReviewedDay): string {
  if (!(expectedDeltaQuality > 0)) return gain > 0 ? 'something' : 'nothing'
  const share = gain / expectedDeltaQuality
  return share < 10 ? percentCell(share) : `${significant(share)} times`
}
