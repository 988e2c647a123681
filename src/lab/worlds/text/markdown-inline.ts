/** The text of one line of Markdown, without the marks inside it. */
import { decodeEntities } from './entities.js'

/** Targets of links longer than that are left as they are: no line may cost more than its length. */
const TARGET = '\\((?:[^()\\n]|\\([^()\\n]*\\)){0,1000}\\)'
const LINK = new RegExp(`!?\\[([^\\[\\]]*)\\](?:${TARGET}|\\[[^\\[\\]]*\\])`, 'g')
const ADDRESS = /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/g
const TAG = /<\/?[a-zA-Z][^<>]*>/g
const TEMPLATE = /\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}/g
/** Marks of emphasis stand at the edge of a word: `snake_case` and `2 * 3` are none. */
const EMPHASIS = /(?<![\p{L}\p{N}\\])[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}(?![\p{L}\p{N}])|~~/gu
const ESCAPE = /\\([!-/:-@[-`{-~])/g
const BACKTICKS = /`+/g

export function inlineText(line: string): string {
  const pieces: string[] = []
  let at = 0
  BACKTICKS.lastIndex = 0
  for (let open = BACKTICKS.exec(line); open !== null; open = BACKTICKS.exec(line)) {
    const start = open.index + open[0].length
    const close = closingRun(line, open[0].length, start)
    if (close === -1) continue
    pieces.push(withoutMarks(line.slice(at, open.index)), line.slice(start, close))
    at = close + open[0].length
    BACKTICKS.lastIndex = at
  }
  pieces.push(withoutMarks(line.slice(at)))
  return pieces.join('').replace(/\s+/g, ' ').trim()
}

/** Where the code that begins at `from` ends: at a run of as many backticks. */
function closingRun(line: string, length: number, from: number): number {
  const run = new RegExp(`(?<!\`)\`{${length}}(?!\`)`, 'g')
  run.lastIndex = from
  return run.exec(line)?.index ?? -1
}

function withoutMarks(piece: string): string {
  const linkless = piece.replace(TEMPLATE, ' ').replace(LINK, '$1').replace(LINK, '$1')
  const bare = linkless.replace(ADDRESS, '$1').replace(TAG, ' ').replace(EMPHASIS, '').replace(ESCAPE, '$1')
  return decodeEntities(bare)
}
