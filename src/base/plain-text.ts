/** Forms of texts: the one in which they are the same to somebody who reads them, and their beginnings. */

/** The marks of accents, as the analyzers fold them; those of other scripts tell their letters apart. */
const ACCENTS = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+/g

/** Lower case, without accents, one blank for all white space, none in front. A blank at the end stays. */
export function plainText(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trimStart()
}

/**
 * The first UTF-16 units of a text, as a text of its own: what slice() gives may keep all of the text alive, however
 * long that is.
 */
export function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text
  return Buffer.from(text.slice(0, units), 'utf16le').toString('utf16le')
}
