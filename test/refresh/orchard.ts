/** A small index about fruit whose writes are measured, in memory or in a folder, and what its shifts are called. */
import { Freshdex, type Key, type OpenOptions, type ShiftBatch, type WriteBatch, type WriteReport } from 'freshdex'

export interface Page {
  url: string
  title: string
  body: string
  links?: number
}

export type Options = Partial<OpenOptions<Page>>

export const OPTIONS: OpenOptions<Page> = {
  key: 'url',
  fields: { title: { boost: 2 }, body: {} },
  // Weights stay what they are recorded as, so that gains can be computed.
  workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Some day; all times of these tests are given. */
export const START = Date.UTC(2025, 0, 1)

/** Page n has "apple", every other one "pear", every third one "plum", and n words that nobody asks for. */
export function page(nth: number, more = ''): Page {
  const words = ['apple', ...(nth % 2 === 0 ? ['pear'] : []), ...(nth % 3 === 0 ? ['plum'] : [])]
  const filler = Array.from({ length: nth }, (_, at) => `filler${at}`)
  const body = [...words, ...filler, ...(more === '' ? [] : [more])].join(' ')
  return { url: `https://host${nth % 4}.example/${nth}`, title: `page ${nth}`, body, links: nth }
}

export function url(nth: number): string {
  return page(nth).url
}

export const PAGES: readonly Page[] = Array.from({ length: 12 }, (_, nth) => page(nth))

/** In this order they get the ids 1, 2, 3 … */
export const QUERIES: readonly (readonly [query: string, count: number])[] = [
  ['apple', 4],
  ['pear', 2],
  ['apple plum', 3],
  ['quince', 1],
]

export async function openOrchard(path: ':memory:' | (string & {}) = ':memory:', options: Options = {}) {
  const index = await Freshdex.open<Page>(path, { ...OPTIONS, ...options })
  await index.write({ put: [...PAGES] }, { at: START })
  await index.workload.load(QUERIES, { at: START })
  await index.refresh.fit()
  return index
}

export interface NamedShift {
  readonly url: Key
  readonly query: string
  readonly before: number
  readonly after: number
}

/** Writes, and gives the shifts that the write told of, in order of pages and queries. */
export async function shiftsOf(index: Freshdex<Page>, batch: WriteBatch<Page>, at?: number): Promise<NamedShift[]> {
  return (await writeListening(index, batch, at)).shifts
}

export async function writeListening(
  index: Freshdex<Page>,
  batch: WriteBatch<Page>,
  at?: number,
): Promise<{ readonly report: WriteReport; readonly shifts: NamedShift[] }> {
  const batches: ShiftBatch[] = []
  const stop = index.onShifts((shifts) => batches.push(shifts))
  // The numbers of the pages: those of the orchard are in the order in which they were put, a new one comes behind.
  const urls = [...PAGES.map((known) => known.url), 'new']
  const report = await index.write(batch, at === undefined ? {} : { at })
  await Promise.resolve()
  stop()
  const shifts = batches.flatMap(({ documents, queries, scoresBefore, scoresAfter }) =>
    Array.from(documents, (number, nth) => ({
      url: urls[number] as string,
      query: (QUERIES[(queries[nth] as number) - 1] as readonly [string, number])[0],
      before: scoresBefore[nth] as number,
      after: scoresAfter[nth] as number,
    })),
  )
  return { report, shifts: shifts.sort((a, b) => compare(a.url, b.url) || compare(a.query, b.query)) }
}

function compare(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0
}
