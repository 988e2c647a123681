import type { Command } from 'commander'
import type { Review } from '../../index.js'
import { addExamples, asUsage, folder, withReader } from '../command.js'
import { isoTime, TIME_RULE, time } from '../input/values.js'
import { print, printJson } from '../output/output.js'
import { count, percent, significant, table, thousands } from '../output/wording.js'

interface ReviewCommandOptions {
  readonly since?: number
  readonly until?: number
  readonly json: boolean
}

const HEADER = ['day', 'refreshes', 'changed', 'expected', 'gained', 'expected', 'nine of ten times', '']

export function addReviewCommand(program: Command): void {
  const command = program
    .command('review')
    .description('whether refreshes have gained what was expected of them, day by day')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--since <time>', `days from this moment on: ${TIME_RULE}`, time)
    .option('--until <time>', 'days up to this moment', time)
    .option('--json', 'print one JSON document', false)
    .action(runReviewCommand)
  addExamples(command, 'freshdex review pages.idx', 'freshdex review pages.idx --since 2026-11-01 --json')
}

async function runReviewCommand(dir: string, { json, ...range }: ReviewCommandOptions): Promise<void> {
  const review = await withReader(dir, (index) => asUsage(() => index.refresh.review(range)))
  if (json) printJson(review)
  else print(tell(review))
}

function tell(review: Review): string {
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
  const share = ratio === undefined ? '' : `, ${percent(ratio)} of it`
  return [
    table([HEADER, ...rows]),
    `${count(refreshes, 'refresh', 'refreshes')}, ${thousands(changes)} changed where ${significant(expectedChanges)} were expected`,
    `expected gain ${significant(expectedDeltaQuality)}, measured ${significant(deltaQuality)}${share}; ${percent(withinShare ?? 0)} of the days as expected`,
  ].join('\n')
}
