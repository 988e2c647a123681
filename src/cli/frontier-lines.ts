/** Pages that were found, as records, one a line: {"url": …}, and optionally "anchors", a list of texts, and "inlinks". */
import { type FoundPage, readFoundPage } from '../discovery/frontier-page.js'
import { failureCode } from './output.js'
import { recordLines } from './record-lines.js'

/** All lines of a file; LineRefused for the first that says something else. */
export async function readFoundPages(file: string): Promise<FoundPage[]> {
  const pages: FoundPage[] = []
  for await (const { record, refuse } of recordLines(file, 'jsonl')) {
    try {
      const { url, anchors, inlinks } = readFoundPage(record)
      pages.push({ url, anchors, ...(inlinks === undefined ? {} : { inlinks }) })
    } catch (error) {
      throw refuse((error as Error).message, failureCode(error))
    }
  }
  return pages
}
