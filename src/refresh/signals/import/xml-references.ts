/** References in XML text and attributes: the five names that XML has of itself, and numbers. */

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REPLACEMENT = '\ufffd'

/**
 * Any other reference stays as it stands: entities that a document declares are not read, so that none can stand for a file or for a text
 * without end; and an address with a bare '&' is the address that was meant.
 */
export function withoutReferences(text: string): string {
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
