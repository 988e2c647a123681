/** Text from outside as markup: HTML and XML alike, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return (
    text
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&#39;')
      // Control characters and halves of a pair, which the two cannot hold.
      .replace(/(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
  )
}
