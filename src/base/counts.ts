/** Counts as people read them. */

/** `1 page`, `2,000 pages`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

/** `2,000` */
export function thousands(number: number): string {
  return number.toLocaleString('en-US')
}
