/**
 * Names under which queries are counted. Two texts that differ in white space only are one query. Where texts must not be
 * kept, a query is named by the hashes of its words: it can still be matched with the words of an index, but not be read.
 */

const HASH_DIGITS = 16
const HASH_NAME = new RegExp(`^[0-9a-f]{${HASH_DIGITS}}(?:\\.[0-9a-f]{${HASH_DIGITS}})*$`)

/** Trimmed, white space collapsed; a lone surrogate becomes U+FFFD, as it would on the way through UTF-8. */
export function textName(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The 64-bit hashes of the distinct words as 16 hexadecimal digits each, joined by dots. They are in order of the hashes,
 * so that the order of the words is not told. '' for no words.
 */
export function hashName(words: Iterable<string>, hash: (word: string) => bigint): string {
  const hashes = Array.from(new Set(words), (word) => BigInt.asUintN(64, hash(word)).toString(16))
  const padded = hashes.map((digits) => digits.padStart(HASH_DIGITS, '0'))
  return [...new Set(padded)].sort().join('.')
}

/** The hashes in a name made by hashName; undefined for any other name. */
export function wordHashesOf(name: string): bigint[] | undefined {
  if (!HASH_NAME.test(name)) return undefined
  return name.split('.').map((digits) => BigInt(`0x${digits}`))
}
