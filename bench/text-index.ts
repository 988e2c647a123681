/** An index of pages that are one text each, with English words and nothing stored, in a folder. */
import { Freshdex } from 'freshdex'
import type { TextPage } from './large-collection.js'

const BATCH = 1000

export interface TextIndexOptions {
  readonly onProgress?: (pages: number) => void
  /** Default false: the index only searches. */
  readonly keepsHistories?: boolean
}

/** Written, compacted and closed. */
export async function buildTextIndex(
  folder: string,
  pages: Iterable<TextPage> | AsyncIterable<TextPage>,
  { onProgress = () => undefined, keepsHistories = false }: TextIndexOptions = {},
): Promise<void> {
  const index = await Freshdex.open<TextPage>(folder, {
    key: 'url',
    fields: { text: {} },
    analyzer: 'english',
    store: false,
    ...(keepsHistories ? { workload: false } : { prioritizer: false }),
  })
  let put: TextPage[] = []
  let written = 0
  for await (const page of pages) {
    put.push(page)
    if (put.length < BATCH) continue
    await index.write({ put })
    written += put.length
    put = []
    if (written % 20_000 === 0) onProgress(written)
  }
  await index.write({ put })
  await index.compact()
  await index.close()
}

export function openTextIndex(folder: string): Promise<Freshdex<TextPage>> {
  return Freshdex.open<TextPage>(folder, { prioritizer: false })
}
