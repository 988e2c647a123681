// Node has had these two since version 20; the ES2023 library that this package is compiled against does not list them.
interface WellFormedString {
  isWellFormed(this: string): boolean
  toWellFormed(this: string): string
}

const { isWellFormed: test, toWellFormed: repair } = String.prototype as unknown as WellFormedString

/** Whether text has no lone surrogates, that is, whether it survives UTF-8. */
export function isWellFormed(text: string): boolean {
  return test.call(text)
}

/** The text as UTF-8 would bring it back: each lone surrogate becomes U+FFFD. */
export function toWellFormed(text: string): string {
  return repair.call(text)
}
