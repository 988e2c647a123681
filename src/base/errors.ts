/** The error codes, each with its meaning. The codes are covered by semver; the texts are not. */
export const ERROR_MEANINGS = {
  CLOSED: 'The index or the snapshot was closed.',
  REENTRANT: 'An analyzer, a getter or an iterator called the index that was calling it.',
  NOT_SUPPORTED: 'This version cannot do what was asked.',
  NOT_FOUND: 'There is no index at the path.',
  NOT_AN_INDEX: 'The path holds something that is not an index.',
  EXISTS: 'There is something already where a new index was to be put.',
  MISMATCH: 'The options contradict what the index on disk is.',
  LOCKED: 'Another writer has the index open.',
  READ_ONLY: 'The index was opened for reading only.',
  NO_PRIORITIZER: 'The index was opened with `prioritizer: false`, and this is for its prioritizer to answer.',
  BUSY: 'Another program kept the catalog locked for too long; nothing was written.',
  DISK_FULL: 'There is no room left on the disk.',
  IO: 'The operating system could not read or write a file.',
  POISONED: 'An earlier write failed half-way; open the index anew. Its cause is in `cause`.',
  CORRUPT: 'A file is damaged; `detail` has its name and, where known, the offset.',
  DUPLICATE_KEY: 'One batch names the same key twice.',
  INVALID_KEY: 'A key is empty, too long, not well-formed text, or not a safe integer.',
  DOCUMENT_TOO_LARGE: 'The text of one document is larger than limits.documentBytes.',
  BATCH_TOO_LARGE: 'One batch is larger than 1 GiB when encoded.',
  CURSOR_EXPIRED: 'The state that a cursor is of is kept no longer; search again from the beginning.',
  QUERY_TOO_COMPLEX: 'A query has too much text, too many clauses or too many levels.',
  MALFORMED: 'A sitemap, feed or log that was given cannot be read; `detail` has the line where that is known.',
  INFEASIBLE: 'No schedule keeps all bounds, windows and release times.',
  TOO_MANY_TERMS: 'The index cannot number any more distinct terms. `compact` drops those that no document has.',
  ANALYZER_MISSING: 'The package that holds the analyzer of this language is not installed.',
  ANALYZER_FAILED: 'An analyzer threw, or returned something other than strings.',
  NATIVE_MISSING: 'The compiled addon could not be loaded.',
  MEMORY: 'A write would make the index larger than maxMemory; nothing was written.',
  OUT_OF_MEMORY: 'There was not enough memory; the index is as it was before the call.',
  INTERNAL: 'A fault of freshdex itself; please report it.',
} as const satisfies Record<string, string>

export type FreshdexErrorCode = keyof typeof ERROR_MEANINGS

/** Facts about a failure: what was expected, what was received, which key. Flat, so that it fits into a log line. */
export type ErrorDetail = Readonly<Record<string, string | number>>

export interface FreshdexErrorOptions {
  readonly detail?: ErrorDetail | undefined
  readonly cause?: unknown
}

/**
 * A failure that is not due to a wrong argument (a wrong argument is a TypeError or a RangeError).
 * Switch on `code`; `message` is for people and may change.
 */
export class FreshdexError extends Error {
  readonly code: FreshdexErrorCode
  readonly detail: ErrorDetail

  constructor(code: FreshdexErrorCode, message: string, options: FreshdexErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.detail = options.detail ?? {}
  }

  static {
    // On the prototype, as the built-in errors have it: an own property would show up in every printed error.
    Object.defineProperty(FreshdexError.prototype, 'name', {
      value: 'FreshdexError',
      writable: true,
      configurable: true,
    })
  }
}

export function isErrorCode(value: unknown): value is FreshdexErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_MEANINGS, value)
}
