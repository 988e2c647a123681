/** The history of a snapshot folder in memory, by weeks: for what goes over it again and again. */
import type { WorldPage } from '../world.js'
import { readPageVersions } from './page-versions.js'

/** What one week changes. Week 0 only adds. */
export interface Week {
  readonly added: readonly WorldPage[]
  readonly replaced: readonly WorldPage[]
  readonly gone: readonly string[]
}

export interface WeekHistory {
  readonly weeks: readonly Week[]
  /** Lines that carry a page. */
  readonly versions: number
  /** The pages of the last week, in order of their first version. */
  readonly final: readonly WorldPage[]
}

/** Weeks are those of the pages, times are not read. FreshdexError for files that are missing or damaged. */
export async function readWeekHistory(folder: string): Promise<WeekHistory> {
  const weeks: { added: WorldPage[]; replaced: WorldPage[]; gone: string[] }[] = []
  const present = new Map<string, WorldPage>()
  let versions = 0
  for await (const { week, page, url, isKnown } of readPageVersions(folder)) {
    while (weeks.length <= week) weeks.push({ added: [], replaced: [], gone: [] })
    const changes = weeks[week]!
    if (page === undefined) {
      changes.gone.push(url)
      present.delete(url)
      continue
    }
    versions++
    if (isKnown) changes.replaced.push(page)
    else changes.added.push(page)
    present.set(url, page)
  }
  return { weeks, versions, final: [...present.values()] }
}

export function textBytes(pages: readonly WorldPage[]): number {
  return pages.reduce((sum, { title, text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text), 0)
}
