/** The advice of `next` for people: a table, the reasons, and what it all amounts to. */
import type { Advice } from '../../index.js'
import { isoTime } from '../input/values.js'
import { count, oneLine, percentCell, shortenedKey, table, thousands, timeSpan, wrapped } from './wording.js'

/** Lines have no more characters than this, but for a key on a terminal that is narrower than its numbers. */
export const COLUMNS = 110
const KEY_COLUMNS = 54
/** Up to so many pages the reasons are printed unless told. */
const REASONS_UNLESS_TOLD = 5

const HEADER = ['rank', 'priority', 'stake', 'gain', 'together', 'current', 'age', 'page']

export interface AdviceQuestion {
  /** The folder of the index, as the command was told it. */
  readonly dir: string
  readonly hasReasons: boolean
  readonly at: number
  readonly policy: string
}

export function adviceText(advice: Advice, { dir, hasReasons, at, policy }: AdviceQuestion): string {
  const { pages } = advice
  if (pages.length === 0) return adviceSentence(advice, dir)
  const best = pages[0]!.priority
  const rows = pages.map(({ key, priority, stake, expectedGain, cumulativeGain, currentProbability, ageMs }, nth) => [
    thousands(nth + 1),
    relative(priority, best),
    percentCell(stake),
    percentCell(expectedGain),
    percentCell(cumulativeGain),
    percentCell(currentProbability),
    timeSpan(ageMs),
    shortenedKey(oneLine(String(key)), KEY_COLUMNS),
  ])
  const isShort = pages.length <= REASONS_UNLESS_TOLD
  return [
    table([HEADER, ...rows], 7),
    '',
    ...wrapped(adviceSentence(advice, dir), COLUMNS),
    `As of ${isoTime(at)}, by the policy ${policy}; its best priority is 100.`,
    ...(hasReasons || isShort ? ['', ...reasons(pages)] : []),
  ].join('\n')
}

/** Priorities have units that nobody knows: the best is 100. */
export function relative(priority: number, best: number): string {
  if (!(best > 0)) return '0'
  const points = (100 * priority) / best
  return points > 0 && points < 0.1 ? '<0.1' : String(Number(points.toPrecision(points < 9.95 ? 2 : 3)))
}

/** Why each page is in a list, below its key. */
export function reasons(pages: readonly { readonly key: string | number; readonly why: string }[]): string[] {
  return pages.flatMap(({ key, why }, nth) => [
    `${thousands(nth + 1)}. ${oneLine(String(key))}`,
    ...wrapped(oneLine(why), COLUMNS - 4).map((line) => `    ${line}`),
  ])
}

/** What the advice says, and what helps where something is missing: commands, not calls. */
export function adviceSentence({ basis, pages, sentence }: Advice, dir: string): string {
  if (basis === 'no-history') return `There are no documents yet. To write some: freshdex index ${dir} FILE`
  if (basis === 'no-queries') {
    const named = pages.length === 0 ? 'No page is named.' : `${count(pages.length, 'page')}, by age and history alone.`
    return `${named} ${noQueries(dir)}`
  }
  return sentence.replace('set waitMs higher', 'wait longer with --wait')
}

export function noQueries(dir: string): string {
  const ways = `freshdex workload import ${dir} FILE, or searches with freshdex search ${dir} WORDS`
  return `No queries are known, so all pages count alike. To tell it what people search for: ${ways}`
}
