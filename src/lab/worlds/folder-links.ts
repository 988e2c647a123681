/** Links between the pages of a snapshot folder. */
import path from 'node:path'
import { describe } from '../../describe.js'
import { jsonLines } from './file-lines.js'
import { LINKS_FILE } from './snapshot-format.js'
import { damagedLine } from './world-fault.js'

export interface FolderLink {
  readonly week: number
  readonly from: string
  readonly to: string
  /** Empty where the file has none. */
  readonly anchor: string
}

/** In the order of the file. FreshdexError for a file that is missing or damaged. */
export async function* folderLinks(folder: string): AsyncGenerator<FolderLink> {
  const file = path.join(folder, LINKS_FILE)
  for await (const { number, value } of jsonLines(file)) {
    const { week, from, to, anchor } = value
    const isLink = Number.isSafeInteger(week) && typeof from === 'string' && typeof to === 'string'
    if (!isLink) {
      const message = `a link must have a whole "week" and the texts "from" and "to", received ${describe(value)}`
      throw damagedLine(file, number, message)
    }
    yield { week: week as number, from, to, anchor: typeof anchor === 'string' ? anchor : '' }
  }
}
