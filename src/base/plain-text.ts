/** The form in which texts are the same to somebody who reads them. */

/** Lower case, without accents, one blank for all white space, none in front. A blank at the end stays. */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trimStart()
}
