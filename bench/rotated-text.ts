/** Copies of a text that are not the same text. */

const TURNS = 16

/** The nth copy begins with a later sentence; what stood before it comes last. */
export function rotated(text: string, copy: number): string {
  const cut = text.indexOf('. ', Math.floor((text.length * copy) / TURNS)) + 1
  return text.slice(cut) + text.slice(0, cut)
}
