/**
 * A process that builds an index, or opens it and asks it, and prints how much memory it takes:
 * node memory-process.js SPEC.
 */
import { Freshdex } from 'freshdex'
import { readClassQueries, toQuery } from './class-queries.js'
import { readTextPages, type TextPage } from './large-collection.js'
import { heldBytes } from './memory.js'

export type MemorySpec =
  | ({ readonly work: 'build'; readonly index: string; readonly pages: string; readonly most: number } & MemoryOptions)
  | { readonly work: 'ask'; readonly index: string; readonly pages: string; readonly queries: number }

interface MemoryOptions {
  readonly stores: boolean
  readonly hasPrioritizer: boolean
}

/** Bytes: of the process as the system counts it, and of JavaScript's heap and buffers without garbage. */
export interface MemoryUse {
  readonly rss: number
  readonly heap: number
}

export interface MemoryReport {
  readonly before: MemoryUse
  readonly after: MemoryUse
  readonly opened?: MemoryUse
  /** Of a page, as it was given. */
  readonly textBytes?: number
}

const BATCH = 1000

const spec = JSON.parse(process.argv[2]!) as MemorySpec
const before = await memoryUse()
process.stdout.write(JSON.stringify({ before, ...(await (spec.work === 'build' ? build(spec) : ask(spec))) }))

async function memoryUse(): Promise<MemoryUse> {
  const heap = await heldBytes()
  return { heap, rss: process.memoryUsage().rss }
}

async function build(to: MemorySpec & { readonly work: 'build' }): Promise<Omit<MemoryReport, 'before'>> {
  const index = await Freshdex.open<TextPage>(to.index, {
    key: 'url',
    fields: { text: {} },
    analyzer: 'english',
    store: to.stores,
    ...(to.hasPrioritizer ? {} : { prioritizer: false as const }),
  })
  let put: TextPage[] = []
  let textBytes = 0
  for await (const page of readTextPages(to.pages, to.most)) {
    textBytes += Buffer.byteLength(page.text)
    put.push(page)
    if (put.length < BATCH) continue
    await index.write({ put })
    put = []
  }
  await index.write({ put })
  put = []
  const after = await memoryUse()
  await index.compact()
  await index.close()
  return { after, textBytes }
}

async function ask(of: MemorySpec & { readonly work: 'ask' }): Promise<Omit<MemoryReport, 'before'>> {
  const asked = (await readClassQueries(of.pages)).map(toQuery)
  const index = await Freshdex.open<TextPage>(of.index, { prioritizer: false })
  const opened = await memoryUse()
  for (let at = 0; at < of.queries; at++) index.search(asked[at % asked.length]!, { limit: 10 })
  const after = await memoryUse()
  await index.close()
  return { opened, after }
}
