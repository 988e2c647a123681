/** Which text a file holds, by the ending of its name: Markdown, HTML, or else the text as it is. */
import { splitFrontMatter } from './front-matter.js'
import { htmlText, type PlainText } from './html-text.js'
import { markdownText } from './markdown-text.js'

const MARKDOWN = /\.(?:md|mdx|markdown|mkd)$/i
const HTML = /\.(?:html?|xhtml)$/i
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Undefined for bytes that are no text. */
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
