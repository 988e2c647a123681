/**
 * The text of a page of Markdown, for readers of words: marks, targets of links, HTML, comments, front matter and template tags go, code
 * and the texts of links stay. It follows what people write, not every corner of CommonMark.
 */
import { splitFrontMatter } from './front-matter.js'
import type { PlainText } from './html-text.js'
import { inlineText } from './markdown-inline.js'

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
