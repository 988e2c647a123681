/**
 * The text that a page of HTML shows, without laying it out: tags, comments, scripts and styles go, block elements part
 * lines, white space is folded. One pass over the text, whatever it holds; there is no HTML that fails.
 */

export interface PlainText {
  /** Empty where there is none. */
  readonly title: string
  /** Lines, none of them blank. */
  readonly text: string
}

/** Everything up to the closing tag is not for readers. */
const HIDDEN = new Set(['script', 'style', 'template', 'svg', 'math', 'iframe', 'object', 'noscript'])
/** Elements in whose text tags stand as they are. */
const PLAIN = new Set(['title', 'textarea'])
const INLINE = new Set(
  [
    'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong',
    'sub sup time tt u var wbr',
  ].flatMap((names) => names.split(' ')),
)
const HEADING = 'h1'

/** `<name`, `</name` */
const TAG_START = /<(\/?)([a-zA-Z][^\s/>]*)/y

interface Tag {
  readonly name: string
  readonly isClosing: boolean
  /** Behind its `>`. */
  readonly end: number
}

export function htmlText(html: string): PlainText {
  const pieces: string[] = []
  let title: string | undefined
  let heading: { readonly from: number; to?: number } | undefined
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    if (end > at) pieces.push(folded(html.slice(at, end)))
    if (open === -1) break
    const tag = tagAt(html, open)
    if (tag === undefined) {
      at = markupEnd(html, open)
      if (at === open + 1) pieces.push('<')
      continue
    }
    at = tag.end
    if (tag.isClosing && tag.name === HEADING && heading !== undefined) heading.to ??= pieces.length
    if (!INLINE.has(tag.name)) pieces.push('\n')
    if (!tag.isClosing && tag.name === HEADING) heading ??= { from: pieces.length }
    if (tag.isClosing || !(HIDDEN.has(tag.name) || PLAIN.has(tag.name))) continue
    const close = closingTag(html, tag.name, at)
    const inside = html.slice(at, close)
    at = close
    if (tag.name === 'title') title ??= inside
    else if (PLAIN.has(tag.name)) pieces.push(folded(inside))
  }
  const firstHeading = heading === undefined ? '' : pieces.slice(heading.from, heading.to).join('')
  return { title: oneLine(title ?? '') || oneLine(firstHeading), text: lines(pieces.join('')) }
}

/** Undefined for a `<` that begins no tag. */
function tagAt(html: string, open: number): Tag | undefined {
  TAG_START.lastIndex = open
  const found = TAG_START.exec(html)
  if (found === null) return undefined
  const [start, slash, name = ''] = found
  return { name: name.toLowerCase(), isClosing: slash === '/', end: tagEnd(html, open + start.length) }
}

/** A `>` in quotes does not end a tag. */
function tagEnd(html: string, from: number): number {
  let quote = ''
  let last = ''
  for (let at = from; at < html.length; at++) {
    const character = html[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') {
      return at + 1
    } else if (last === '=' && (character === '"' || character === "'")) {
      quote = character
    }
    if (character.trim() !== '') last = character
  }
  return html.length
}

/** The end of a comment, a declaration or an instruction; a `<` that is none of them ends where it is. */
function markupEnd(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return behind(html, '-->', open + 4)
  const next = html[open + 1]
  return next === '!' || next === '?' ? behind(html, '>', open + 2) : open + 1
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

/** Where the element ends; at the end of the page if nothing closes it. */
function closingTag(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

/** Line ends of the source are spaces; those of the text come from elements. */
function folded(raw: string): string {
  return raw.replace(/\s+/g, ' ')
}

function oneLine(raw: string): string {
  return decodeEntities(folded(raw)).trim()
}

function lines(raw: string): string {
  return raw
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n')
}

/** Character references of HTML: those by number, and the names that are in use for text. Others stay as they are. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '' },
  ...{ copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—', ndash: '–', minus: '−', middot: '·', bull: '•' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', laquo: '«', raquo: '»' },
  ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', times: '×', divide: '÷', plusmn: '±', deg: '°' },
  ...{ le: '≤', ge: '≥', ne: '≠', asymp: '≈', infin: '∞', micro: 'µ', para: '¶', sect: '§', check: '✓' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', frac12: '½', frac14: '¼', frac34: '¾', sup2: '²', sup3: '³' },
  ...{ agrave: 'à', aacute: 'á', acirc: 'â', atilde: 'ã', auml: 'ä', aring: 'å', aelig: 'æ', ccedil: 'ç' },
  ...{ egrave: 'è', eacute: 'é', ecirc: 'ê', euml: 'ë', igrave: 'ì', iacute: 'í', icirc: 'î', iuml: 'ï' },
  ...{ ntilde: 'ñ', ograve: 'ò', oacute: 'ó', ocirc: 'ô', otilde: 'õ', ouml: 'ö', oslash: 'ø', szlig: 'ß' },
  ...{ ugrave: 'ù', uacute: 'ú', ucirc: 'û', uuml: 'ü', yacute: 'ý', yuml: 'ÿ', eth: 'ð', thorn: 'þ' },
  ...{ Agrave: 'À', Aacute: 'Á', Acirc: 'Â', Atilde: 'Ã', Auml: 'Ä', Aring: 'Å', AElig: 'Æ', Ccedil: 'Ç' },
  ...{ Egrave: 'È', Eacute: 'É', Ecirc: 'Ê', Euml: 'Ë', Iacute: 'Í', Icirc: 'Î', Iuml: 'Ï', Ntilde: 'Ñ' },
  ...{ Oacute: 'Ó', Ocirc: 'Ô', Otilde: 'Õ', Ouml: 'Ö', Oslash: 'Ø', Uacute: 'Ú', Ucirc: 'Û', Uuml: 'Ü' },
}

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}\d{0,2}));/g
const REPLACEMENT = '\ufffd'

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMES, name) ? NAMES[name]! : whole
    return characterOf(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal))
  })
}

/** No half of a surrogate pair, nothing beyond Unicode, no NUL: text must be well-formed. */
function characterOf(codePoint: number): string {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  return codePoint === 0 || isSurrogate || codePoint > 0x10ffff ? REPLACEMENT : String.fromCodePoint(codePoint)
}
