/**
 * A small index that misuse is tried on, and its fingerprint: everything that can be seen of it through the public API.
 * A call that fails must leave the fingerprint as it was.
 */
import { Freshdex, FreshdexError, type OpenOptions, type Query } from 'freshdex'
import { expect } from 'vitest'

export interface Page {
  id: string | number
  title?: unknown
  body?: unknown
  [other: string]: unknown
}

export const PAGES: readonly Page[] = Array.from({ length: 24 }, (_, nth) => ({
  id: nth % 3 === 0 ? nth : `page ${nth}`,
  title: `Title ${nth} ${nth % 2 ? 'odd' : 'even'}`,
  body: [
    `The quick brown fox number ${nth}`,
    `jumps over ${'lazy '.repeat(nth % 5)}dogs`,
    `and ${nth % 4 ? 'sleeps' : 'sings'}`,
  ].join('\n'),
}))

export const KEYS = PAGES.map(({ id }) => id)

const QUERIES: readonly Query[] = [
  'fox',
  'quick fox',
  'lazy OR sings',
  'lazy -sings',
  'NOT lazy',
  '"quick brown fox"',
  '"lazy lazy"',
  'ju*',
  't*',
  'dogz~',
  'slaeps~2',
  'title:odd',
  'title:(odd OR even)',
  'body:lazy^3 odd',
  '(lazy OR sleeps)^0.5 even',
  'nothing',
  '17',
  'new',
  { and: [{ word: 'fox' }, { not: { phrase: 'over dogs' } }] },
  { or: [{ prefix: 'si', boost: 2 }, { fuzzy: 'number' }] },
]

export type Options = Partial<OpenOptions<Page>>

export async function openSpecimen(options: Options = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(':memory:', {
    key: 'id',
    fields: { title: { boost: 2 }, body: {} },
    ...options,
  })
  await index.write({ put: PAGES })
  return index
}

/** `more` are keys that were tried to be written besides those of the specimen. */
export async function fingerprint(index: Freshdex<Page>, more: readonly (string | number)[] = []): Promise<object> {
  const { ok, faults } = await index.check()
  // Taking the fingerprint is itself a search, and learnt as one; the measurement has times.
  const stats = Object.entries(index.stats()).filter(([name]) => !/bytes|memory|workload|measurement/i.test(name))
  return {
    check: { ok, faults },
    stats: Object.fromEntries(stats),
    answers: QUERIES.map((query) => index.search(query, { limit: 100 })),
    documents: [...KEYS, ...more].map((key) => [key, index.has(key), index.get(key)]),
  }
}

/** The class of a built-in error, the code of one of ours. */
export function kindOf(error: unknown): string {
  if (error instanceof FreshdexError) return error.code
  return error instanceof Error ? error.constructor.name : `not an error: ${String(error)}`
}

/** What a synchronous call throws. */
export function thrownBy(act: () => unknown): { kind: string; message: string; error?: unknown } {
  try {
    const result = act()
    return { kind: 'nothing', message: `returned ${typeof result}` }
  } catch (error) {
    return { kind: kindOf(error), message: String((error as Error).message), error }
  }
}

/** What an asynchronous call rejects with; one that throws instead of rejecting fails the test. */
export async function rejectionOf(act: () => Promise<unknown>) {
  const promise = act()
  expect(promise).toBeInstanceOf(Promise)
  return promise.then(
    () => ({ kind: 'nothing', message: 'resolved' }),
    (error: unknown) => ({ kind: kindOf(error), message: String((error as Error).message), error }),
  )
}

export interface Refusal {
  /** Name of a built-in error class, or a code of FreshdexError. */
  readonly kind: string
  /** What the message must name. */
  readonly names?: string
  readonly more?: readonly (string | number)[]
}

/** A write that must be refused and change nothing. */
export async function expectWriteRefused(index: Freshdex<Page>, batch: unknown, refusal: Refusal): Promise<void> {
  const before = await fingerprint(index, refusal.more)
  const { kind, message } = await rejectionOf(() => index.write(batch as never))
  expect(kind, message).toBe(refusal.kind)
  if (refusal.names !== undefined) expect(message).toContain(refusal.names)
  expect(await fingerprint(index, refusal.more)).toEqual(before)
}

/** A synchronous call that must be refused and change nothing. */
export async function expectCallRefused(index: Freshdex<Page>, act: () => unknown, refusal: Refusal): Promise<void> {
  const before = await fingerprint(index, refusal.more)
  const { kind, message } = thrownBy(act)
  expect(kind, message).toBe(refusal.kind)
  if (refusal.names !== undefined) expect(message).toContain(refusal.names)
  expect(await fingerprint(index, refusal.more)).toEqual(before)
}
