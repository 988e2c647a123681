/** Writes any world as a snapshot folder, whole or not at all. */

import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { FreshdexError } from '../../base/errors.js'
import { END_COLUMN, PAGES_FILE, WEEK_COLUMN, WEEKS_FILE, weekEndCell } from './snapshot-format.js'
import type { WorldStep } from './world.js'

/** A step, and the commit it shows where there is one. */
export type WrittenStep = WorldStep & { readonly commit?: string }

export interface SnapshotTotals {
  readonly weeks: number
  /** Lines that carry a page. */
  readonly versions: number
  /** Pages of the last week. */
  readonly pages: number
  /** Versions of pages that were there the week before. */
  readonly changed: number
  readonly gone: number
}

const WEEKS_HEADER = [WEEK_COLUMN, END_COLUMN, 'commit', 'pages', 'new', 'changed', 'gone']

/**
 * `folder` must not exist, or be empty. A world without any page is a RangeError: no reader would take it. `onStep`
 * hears of every step that was written, with the totals so far.
 */
export async function writeSnapshotFolder(
  world: AsyncIterable<WrittenStep>,
  folder: string,
  onStep: (totals: SnapshotTotals) => void = () => {},
): Promise<SnapshotTotals> {
  await requireRoom(folder)
  const parent = path.dirname(path.resolve(folder))
  await mkdir(parent, { recursive: true })
  // Beside the goal, so that it is renamed and not copied.
  const draft = await mkdtemp(path.join(parent, `.${path.basename(folder)}-`))
  try {
    const totals = await writeFiles(world, draft, onStep)
    if (existsSync(folder)) await rmdir(folder)
    await rename(draft, folder)
    return totals
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function requireRoom(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const names = await readdir(folder).catch(() => ['not a folder'])
  if (names.length === 0) return
  throw new FreshdexError('EXISTS', `there is something in ${folder} already`, { detail: { path: folder } })
}

async function writeFiles(
  world: AsyncIterable<WrittenStep>,
  draft: string,
  onStep: (totals: SnapshotTotals) => void,
): Promise<SnapshotTotals> {
  const rows = [WEEKS_HEADER.join('\t')]
  const present = new Set<string>()
  let totals: SnapshotTotals = { weeks: 0, versions: 0, pages: 0, changed: 0, gone: 0 }
  async function* lines() {
    for await (const step of world) {
      const week = totals.weeks
      const changed = step.versions.filter(({ url }) => present.has(url)).length
      for (const url of step.gone) present.delete(url)
      for (const { url } of step.versions) present.add(url)
      yield* linesOf(step, week)
      totals = {
        weeks: week + 1,
        versions: totals.versions + step.versions.length,
        pages: present.size,
        changed: totals.changed + changed,
        gone: totals.gone + step.gone.length,
      }
      const counts = [present.size, step.versions.length - changed, changed, step.gone.length]
      rows.push([week, weekEndCell(step.atMs), step.commit ?? '', ...counts].join('\t'))
      onStep(totals)
    }
    if (totals.versions === 0) throw new RangeError('world must hold at least one page, received none')
  }
  await pipeline(lines, createGzip(), createWriteStream(path.join(draft, PAGES_FILE)))
  await writeFile(path.join(draft, WEEKS_FILE), `${rows.join('\n')}\n`)
  return totals
}

/** By address. */
function linesOf({ versions, gone }: WorldStep, week: number): string[] {
  const lines: [url: string, line: string][] = [
    ...versions.map(({ url, title, text }) => [url, JSON.stringify({ week, url, title, text })] as [string, string]),
    ...gone.map((url) => [url, JSON.stringify({ week, url, gone: true })] as [string, string]),
  ]
  return lines.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => `${line}\n`)
}
