/**
 * The text of a page of Markdown, for readers of words: marks, targets of links, HTML, comments, front matter and
 * template tags go, code and the texts of links stay. It follows what people write, not every corner of CommonMark.
 */
import { decodeEntities, htmlText, type PlainText } from './html-text.js'

const FENCE = /^\s{0,3}(?:>\s?)*(`{3,}|~{3,})/
const HEADING = /^\s{0,3}(#{1,6})(?:\s|$)/
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/
const LINK_DEFINITION = /^\s{0,3}\[[^\]^][^\]]*\]:\s*\S/
const MARKS_BEFORE_TEXT = /^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?/
const HIDDEN_START = /<!--|<(?:script|style)(?=[\s>])/gi
const HIDDEN_ENDS: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/g,
  '<script': /<\/script>/gi,
  '<style': /<\/style>/gi,
}

export function markdownText(markdown: string): PlainText {
  const { title, body } = splitFrontMatter(markdown.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
  const reader = new BlockReader()
  for (const line of body.split('\n')) reader.read(line)
  return { title: title || reader.title, text: reader.lines.filter((line) => line !== '').join('\n') }
}

/** Takes a page line by line; what a line is may depend on those before it. */
class BlockReader {
  readonly lines: string[] = []
  #topHeading = ''
  #firstHeading = ''
  /** What ends the code, the comment or the script that the next line is in. */
  #fence = ''
  #hiddenUntil: RegExp | undefined

  /** The first heading of the first level, or else the first one. */
  get title(): string {
    return this.#topHeading || this.#firstHeading
  }

  read(raw: string): void {
    const fence = FENCE.exec(raw)?.[1]
    if (this.#fence !== '') {
      const isEnd = fence?.startsWith(this.#fence) === true && raw.trim().replace(/^>\s?/, '') === fence
      if (isEnd) this.#fence = ''
      else this.lines.push(raw.trim())
      return
    }
    if (fence !== undefined && this.#hiddenUntil === undefined) {
      this.#fence = fence
      return
    }
    const line = this.#withoutHidden(raw)
    if (line.trim() !== '') this.#readText(line)
  }

  #readText(line: string): void {
    const bare = line.replace(/\s/g, '')
    if (/^=+$/.test(bare)) {
      this.#head(1, this.lines.at(-1) ?? '')
      return
    }
    if (RULE.test(bare) || LINK_DEFINITION.test(line) || isTableRule(bare)) return
    const level = HEADING.exec(line)?.[1]?.length
    if (level === undefined) {
      const cells = bare.startsWith('|') ? line.replace(/(?<!\\)\|/g, ' ') : line
      this.lines.push(inlineText(cells.replace(MARKS_BEFORE_TEXT, '')))
      return
    }
    const heading = inlineText(line.replace(HEADING, '').replace(/(?:\s#+)?\s*(?:\{#[^{}]*\})?\s*$/, ''))
    this.lines.push(heading)
    this.#head(level, heading)
  }

  #head(level: number, heading: string): void {
    if (level === 1) this.#topHeading ||= heading
    this.#firstHeading ||= heading
  }

  /** Comments, scripts and styles, which may go over many lines. */
  #withoutHidden(raw: string): string {
    let shown = ''
    for (let at = 0; at < raw.length; ) {
      const mark = this.#hiddenUntil ?? HIDDEN_START
      mark.lastIndex = at
      const found = mark.exec(raw)
      if (this.#hiddenUntil === undefined) shown += raw.slice(at, found?.index)
      if (found === null) break
      this.#hiddenUntil = this.#hiddenUntil === undefined ? HIDDEN_ENDS[found[0].toLowerCase()] : undefined
      at = found.index + found[0].length
    }
    return shown
  }
}

/** `|---|:-:|` */
function isTableRule(bare: string): boolean {
  return /^[|:-]+$/.test(bare) && bare.includes('-') && bare.includes('|')
}

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

function inlineText(line: string): string {
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

/** What stands before the text of a page: YAML between `---`, TOML between `+++`. Only its title is of use here. */
function splitFrontMatter(page: string): { readonly title: string; readonly body: string } {
  const mark = page.slice(0, 3)
  if ((mark !== '---' && mark !== '+++') || page.slice(3).split('\n', 1)[0]!.trim() !== '')
    return { title: '', body: page }
  const lines = page.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === mark)
  if (end === -1) return { title: '', body: page }
  const entry = lines.slice(1, end).find((line) => /^title\s*[:=]/.test(line)) ?? ''
  return { title: unquoted(entry.replace(/^title\s*[:=]/, '').trim()), body: lines.slice(end + 1).join('\n') }
}

function unquoted(value: string): string {
  const quote = value[0]
  if (value.length < 2 || (quote !== '"' && quote !== "'") || !value.endsWith(quote)) return value
  const inside = value.slice(1, -1)
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'")
}

const MARKDOWN = /\.(?:md|mdx|markdown|mkd)$/i
const HTML = /\.(?:html?|xhtml)$/i
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Which text a file holds, by the ending of its name: Markdown, HTML, or else the text as it is. Undefined for bytes
 * that are no text.
 */
export function pageTextOf(name: string, bytes: Uint8Array): PlainText | undefined {
  const text = decoded(bytes)
  if (text === undefined) return undefined
  if (MARKDOWN.test(name)) return markdownText(text)
  return HTML.test(name) ? markupText(text) : { title: '', text: text.trim() }
}

function markupText(text: string): PlainText {
  // Sites that are made from templates put front matter before HTML too.
  const { title, body } = splitFrontMatter(text)
  const page = htmlText(body)
  return { title: title || page.title, text: page.text }
}

function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}
