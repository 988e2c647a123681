/** What writes did to the answers, as lines for people: one for each page. */
import type { RankMove, RecentWrite, WrittenPage } from '../../index.js'
import { count, duration, oneLine, percent, shortenedKey, thousands } from './wording.js'

const KEY_WIDTH = 44
/** How many queries of a page a line has; the JSON has all that are kept. */
const SHOWN_MOVES = 2

/** The lines of a write: one for each page that is kept of it, and what is only true of them together. */
export function* writtenLines(write: RecentWrite): Generator<string> {
  const { writtenAt, documents, pages } = write
  const clock = clockTime(writtenAt)
  const isOne = documents === 1 && pages.length === 1
  for (const page of pages) {
    const key = shortenedKey(oneLine(String(page.key)), KEY_WIDTH).padEnd(KEY_WIDTH)
    const parts = [outcomeText(page), ...(isOne ? [costText(write)] : [])]
    yield `${clock}  ${key}  ${parts.join('; ')}`
  }
  if (isOne) return
  const rest = documents - pages.length
  const others = rest > 0 && pages.length > 0 ? `, ${thousands(rest)} not shown` : ''
  yield `${clock}  ${count(documents, 'page')} in one write${others}; ${costText(write)}`
}

/** In the time zone of the terminal. */
function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB')
}

function outcomeText({ outcome, deltaQuality, share, moves }: WrittenPage): string {
  const gain = deltaQuality > 0 ? [`${percent(share)} of the answers improved`] : []
  const moved = moves.slice(0, SHOWN_MOVES).map(moveText)
  return [outcome.padEnd(7), ...(moved.length === 0 ? [] : [moved.join(', ')]), ...gain].join('  ').trimEnd()
}

/** `helm 3→1` */
function moveText({ query, rankBefore, rankAfter }: RankMove): string {
  const name = query === undefined ? 'a forgotten query' : oneLine(query)
  return `${name} ${rankText(rankBefore)}→${rankText(rankAfter)}`
}

function rankText(rank1: number | undefined): string {
  return rank1 === undefined ? 'none' : thousands(rank1)
}

function costText({ shifts, overhead }: RecentWrite): string {
  const { indexUs, measureUs, ratio } = overhead
  const indexing = `indexed in ${duration(indexUs / 1000)}`
  if (measureUs === 0) return `${indexing}, not measured`
  return `${count(shifts, 'score')} moved, ${indexing}, measured in ${duration(measureUs / 1000)} (${percent(ratio)})`
}
