/** Counts as people read them. */

/** `1 page`, `2,000 pages`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

/** `2,000` */
export function thousands(number: number): string {
  // Loading what formats by the rules of a country holds the event loop for long, and whole numbers need none of it.
  if (!Number.isSafeInteger(number)) return number.toLocaleString('en-US')
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
