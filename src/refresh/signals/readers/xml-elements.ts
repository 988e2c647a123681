/**
 * The elements of an XML document, one by one as they open and close, with their namespaces, bases and the texts that
 * are wanted.
 */

import { describe } from '../../../base/describe.js'
import { InputFault } from './source-text.js'
import { type MarkupListener, XmlScanner } from './xml-scanner.js'

export interface XmlElement {
  readonly parent: XmlElement | undefined
  /** 0 is the root. */
  readonly depth: number
  /** '' without one, and for a prefix that nothing was said of. */
  readonly namespace: string
  /** The name without its prefix. */
  readonly local: string
  readonly attributes: ReadonlyMap<string, string>
  /** By xml:base: what relative addresses in it are relative to. */
  readonly base: string | undefined
}

export interface ElementVisitor {
  /** True: its own text is wanted. */
  opened(element: XmlElement): boolean
  /** `text`: '' unless it was wanted; as long as MAX_TEXT_UNITS it may be cut. */
  closed(element: XmlElement, text: string): void
}

/** What finds entries in a document. */
export interface EntryFinder<Entry> extends ElementVisitor {
  /** Those since the last time. */
  taken(): Entry[]
  /** The document is over. */
  ended(): void
}

/** The most text that is kept of one element. No key and no date is longer. */
const MAX_TEXT_UNITS = 8 * 1024
const MAX_DEPTH = 256

const ATTRIBUTE = /\s+([^\s/>="'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

export async function* entriesOf<Entry>(
  chunks: AsyncIterable<string>,
  finder: EntryFinder<Entry>,
): AsyncGenerator<Entry> {
  const scanner = new XmlScanner(new ElementStack(finder))
  for await (const chunk of chunks) {
    scanner.push(chunk)
    yield* finder.taken()
  }
  scanner.end()
  finder.ended()
  yield* finder.taken()
}

interface OpenElement {
  readonly name: string
  readonly element: XmlElement
  readonly scope: Scope
  /** Undefined: it is not wanted. */
  text: string | undefined
}

/** Namespaces by prefix; '' is for names without one. */
type Scope = ReadonlyMap<string, string>

class ElementStack implements MarkupListener {
  readonly #visitor: ElementVisitor
  readonly #open: OpenElement[] = []
  #hasRoot = false

  constructor(visitor: ElementVisitor) {
    this.#visitor = visitor
  }

  opened(name: string, given: string): void {
    const above = this.#open.at(-1)
    if (above === undefined && this.#hasRoot) throw new InputFault(`<${name}> stands behind the end`)
    if (this.#open.length >= MAX_DEPTH) throw new InputFault(`elements are more than ${MAX_DEPTH} deep`)
    this.#hasRoot = true
    const attributes = attributesOf(name, given)
    const scope = scopeOf(above?.scope ?? FIRST_SCOPE, attributes)
    const colon = name.indexOf(':')
    const base = attributes.get('xml:base')
    const element = {
      parent: above?.element,
      depth: this.#open.length,
      attributes,
      namespace: scope.get(name.slice(0, Math.max(0, colon))) ?? '',
      local: name.slice(colon + 1),
      base: base === undefined ? above?.element.base : absolute(base, above?.element.base),
    }
    this.#open.push({ name, element, scope, text: this.#visitor.opened(element) ? '' : undefined })
  }

  closed(name: string): void {
    const open = this.#open.pop()
    if (open?.name !== name)
      throw new InputFault(`</${name}> ends ${open === undefined ? 'nothing' : `<${open.name}>`}`)
    this.#visitor.closed(open.element, withoutReferences(open.text ?? ''))
  }

  text(raw: string): void {
    const open = this.#open.at(-1)
    if (open === undefined) {
      if (/[^\s\ufeff]/.test(raw)) throw new InputFault(`text stands outside of all tags: ${describe(raw.trim())}`)
    } else if (open.text !== undefined && open.text.length < MAX_TEXT_UNITS) {
      open.text += raw.slice(0, MAX_TEXT_UNITS - open.text.length)
    }
  }

  ended(): void {
    const open = this.#open.at(-1)
    if (open !== undefined) throw new InputFault(`it ends before </${open.name}>`)
    if (!this.#hasRoot) throw new InputFault('there is nothing in it')
  }
}

const FIRST_SCOPE: Scope = new Map([['xml', XML_NAMESPACE]])
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

function attributesOf(name: string, given: string): ReadonlyMap<string, string> {
  if (given.trim() === '') return NO_ATTRIBUTES
  const attributes = new Map<string, string>()
  const text = given.trimEnd()
  for (ATTRIBUTE.lastIndex = 0; ATTRIBUTE.lastIndex < text.length; ) {
    const [, attribute, double, single] = ATTRIBUTE.exec(text) ?? []
    if (attribute === undefined || attributes.has(attribute))
      throw new InputFault(`the attributes of <${name}> are none: ${describe(text.trim())}`)
    attributes.set(attribute, withoutReferences(double ?? single ?? ''))
  }
  return attributes
}

function scopeOf(outer: Scope, attributes: ReadonlyMap<string, string>): Scope {
  let scope: Map<string, string> | undefined
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    scope ??= new Map(outer)
    scope.set(name.slice('xmlns:'.length), value)
  }
  return scope ?? outer
}

/** The complete address; undefined for a relative one without a base. */
export function absolute(address: string, base: string | undefined): string | undefined {
  if (URL.canParse(address)) return address
  return base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : undefined
}

/** References in XML text and attributes: numbers, and the five names that XML defines itself. */
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REPLACEMENT = '\ufffd'

/**
 * Text with its references replaced. Other references stay as they are: entities that a document declares are not
 * read, so that none can expand to a file or to an endless text, and an address with a bare '&' is taken literally.
 */
function withoutReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    return characterOf(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal))
  })
}

/** Text that means what it says, such as that of CDATA, for `withoutReferences`. */
export function withReferences(text: string): string {
  return text.replaceAll('&', '&amp;')
}

function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : REPLACEMENT
}
