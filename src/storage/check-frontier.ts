/** The part of a check that looks at the frontier. L4: its rows are sound, none that waits is a document, and what was learnt can be read. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { hasFrontierTables, pagesWithDocument, readFrontier, readLessons } from '../catalog/frontier-rows.js'
import { describe } from '../describe.js'
import { pageOfRow } from '../discovery/frontier-page.js'
import { Lessons } from '../discovery/lessons.js'
import type { CheckFault } from '../engine/check-report.js'

/** Rows between two turns of the event loop. */
const PORTION_ROWS = 1000

/** REQUIRES: the connection shows one moment meanwhile. */
export async function checkFrontier(db: Database): Promise<CheckFault[]> {
  const faults: CheckFault[] = []
  // A catalog of an older format, opened for reading.
  if (!hasFrontierTables(db)) return faults
  const complain = (message: string) => faults.push({ invariant: 'L4', message })
  for (const rows of readFrontier(() => db, PORTION_ROWS)) {
    for (const values of rows)
      if (pageOfRow(values) === undefined) complain(`the frontier's page ${values[0]} is damaged`)
    await yieldToEventLoop()
  }
  for (const url of pagesWithDocument(db)) complain(`${describe(url)} is in the frontier, and a document too`)
  if (Lessons.unpack(readLessons(db)) === undefined) complain('what was learnt from the frontier is damaged')
  return faults
}
