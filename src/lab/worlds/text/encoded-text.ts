/** Bytes of a page into text, in the encoding that the server told, or else the page, or else the one it looks like. */
import { TextDecoder } from 'node:util'

/** How much of a page is searched for what it says of its encoding. */
const SEARCHED_BYTES = 1024

/** `charset` may be empty or unknown. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const told = decoder(charset) ?? decoder(charsetOfPage(bytes))
  if (told !== undefined) return told.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decoder(charset: string): TextDecoder | undefined {
  if (charset === '') return undefined
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}

/** `<meta charset=…>`, also within the older form with `content`. */
function charsetOfPage(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, SEARCHED_BYTES)).toString('latin1')
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([a-zA-Z0-9_:.-]+)/i.exec(start)?.[1] ?? ''
}
