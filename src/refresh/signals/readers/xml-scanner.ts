/**
 * Cuts XML into tags and text as it comes in, in pieces of any size. It keeps no more than a tag of what it has read:
 * what else is kept is for the listener to say.
 *
 * Not all of XML: a document type that declares something is refused, since all that a sitemap or feed could want with
 * that is to be expanded without end. An external one is ignored and never fetched.
 */

import { describe } from '../../../base/describe.js'
import { InputFault, malformed } from './source-text.js'
import { withReferences } from './xml-elements.js'

export interface MarkupListener {
  /** `attributes`: everything behind the name, unparsed. */
  opened(name: string, attributes: string): void
  closed(name: string): void
  /** A part of a text, with references in it. */
  text(raw: string): void
  /** Nothing comes any more. */
  ended(): void
}

/** Longest tag, in UTF-16 units. */
const MAX_TAG_UNITS = 64 * 1024

const LESS_THAN = 0x3c
const CDATA = '<![CDATA['

/** Parts that have no tags inside: how they begin and end. */
const SECTIONS = [
  { begin: '<!--', end: '-->', name: 'a comment' },
  { begin: CDATA, end: ']]>', name: 'CDATA' },
  { begin: '<?', end: '?>', name: 'a processing instruction' },
] as const
type Section = (typeof SECTIONS)[number]

const DOCTYPE = '<!DOCTYPE'
const MARK = /[>"']/g
const NAME = /^[^\s/>="'<&!?][^\s/>="'<&]*$/

export class XmlScanner {
  readonly #listener: MarkupListener
  /** What has come and is not done with: at most a tag. */
  #text = ''
  /** In the text: where what is being read begins. */
  #at = 0
  /** The line of the first character of the text, from 1. */
  #line = 1
  #section: Section | undefined
  /**
   * What is not complete is looked at again when there is twice as much of it: a tag in many pieces is not read as many
   * times.
   */
  #enoughUnits = 0
  #hasRoot = false

  constructor(listener: MarkupListener) {
    this.#listener = listener
  }

  /** MALFORMED, with the line, for what is no XML, and for what the listener refuses by an InputFault. */
  push(chunk: string): void {
    this.#text += chunk
    if (this.#text.length >= this.#enoughUnits) this.#scan()
  }

  end(): void {
    this.#scan()
    this.#located(() => {
      if (this.#section !== undefined) throw new InputFault(`it ends within ${this.#section.name}`)
      if (this.#text !== '') throw new InputFault('it ends within a tag')
      this.#listener.ended()
    })
  }

  #scan(): void {
    this.#located(() => {
      while (this.#at < this.#text.length) {
        const end = this.#take(this.#text, this.#at)
        if (end === undefined) break
        this.#at = end
      }
      if (this.#text.length - this.#at > MAX_TAG_UNITS)
        throw new InputFault(`a tag is longer than ${MAX_TAG_UNITS} characters`)
    })
    this.#line += lineFeeds(this.#text, this.#at)
    this.#text = this.#text.slice(this.#at)
    this.#at = 0
    this.#enoughUnits = 2 * this.#text.length
  }

  #located(read: () => void): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof InputFault)) throw error
      throw malformed(error.message, this.#line + lineFeeds(this.#text, this.#at))
    }
  }

  /** One tag, section or piece of text. Gives where it ends, or undefined when that has not come yet. */
  #take(text: string, at: number): number | undefined {
    if (this.#section !== undefined) return this.#takeSection(this.#section, text, at)
    if (text.charCodeAt(at) !== LESS_THAN) {
      const end = text.indexOf('<', at)
      this.#listener.text(end === -1 ? text.slice(at) : text.slice(at, end))
      return end === -1 ? text.length : end
    }
    const next = text.charAt(at + 1)
    if (next === '') return undefined
    return next === '!' || next === '?' ? this.#takeDeclaration(text, at) : this.#takeTag(text, at)
  }

  #takeSection({ begin, end }: Section, text: string, at: number): number | undefined {
    const found = text.indexOf(end, at)
    // The end may have come in part.
    const until = found === -1 ? Math.max(at, text.length - end.length + 1) : found
    if (begin === CDATA) this.#listener.text(withReferences(text.slice(at, until)))
    if (found !== -1) this.#section = undefined
    else if (until === at) return undefined
    return found === -1 ? until : found + end.length
  }

  #takeDeclaration(text: string, at: number): number | undefined {
    for (const section of SECTIONS) {
      if (text.startsWith(section.begin, at)) {
        this.#section = section
        return at + section.begin.length
      }
    }
    if (text.startsWith(DOCTYPE, at)) return this.#takeDoctype(text, at)
    const begin = text.slice(at, at + DOCTYPE.length)
    if ([DOCTYPE, ...SECTIONS.map((section) => section.begin)].some((known) => known.startsWith(begin)))
      return undefined
    throw new InputFault(`${describe(begin)} begins no part of XML`)
  }

  #takeDoctype(text: string, at: number): number | undefined {
    if (this.#hasRoot) throw new InputFault('a document type has no place behind the first tag')
    const end = tagEnd(text, at)
    if (text.slice(at, end).includes('[')) throw new InputFault('a document type with declarations is not read')
    return end
  }

  #takeTag(text: string, at: number): number | undefined {
    const end = tagEnd(text, at)
    if (end === undefined) return undefined
    const isClosing = text.charAt(at + 1) === '/'
    const isEmpty = !isClosing && text.charAt(end - 2) === '/'
    const inside = text.slice(at + (isClosing ? 2 : 1), end - (isEmpty ? 2 : 1))
    const space = inside.search(/\s/)
    const name = space === -1 ? inside : inside.slice(0, space)
    const attributes = space === -1 ? '' : inside.slice(space)
    if (!NAME.test(name) || (isClosing && attributes.trim() !== ''))
      throw new InputFault(`${describe(text.slice(at, end))} is no tag`)
    this.#hasRoot = true
    if (!isClosing) this.#listener.opened(name, attributes)
    if (isClosing || isEmpty) this.#listener.closed(name)
    return end
  }
}

/** Behind the '>' that ends the tag, which is none in quotes; undefined when it has not come yet. */
function tagEnd(text: string, at: number): number | undefined {
  for (let from = at; ; ) {
    MARK.lastIndex = from
    const mark = MARK.exec(text)
    if (mark === null) return undefined
    if (mark[0] === '>') return mark.index + 1
    const quote = text.indexOf(mark[0], mark.index + 1)
    if (quote === -1) return undefined
    from = quote + 1
  }
}

/** In the text before a place. */
function lineFeeds(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}
