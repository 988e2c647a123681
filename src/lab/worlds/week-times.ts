/** When the weeks of a snapshot folder end. */
import path from 'node:path'
import { describe } from '../../describe.js'
import { fileLines } from './file-lines.js'
import { END_COLUMN, WEEK_COLUMN, WEEKS_FILE, weekEndMs } from './snapshot-format.js'
import { damaged, damagedLine } from './world-fault.js'

/** The time of week w is at [w]; they grow. */
export async function readWeekTimes(folder: string): Promise<number[]> {
  const file = path.join(folder, WEEKS_FILE)
  const times: number[] = []
  let columns: readonly number[] | undefined
  for await (const { number, text } of fileLines(file)) {
    const cells = text.split('\t')
    const refuse = (message: string) => damagedLine(file, number, message)
    if (columns === undefined) {
      columns = [WEEK_COLUMN, END_COLUMN].map((name) => cells.indexOf(name))
      if (columns.includes(-1)) throw refuse(`the header must name the columns ${WEEK_COLUMN} and ${END_COLUMN}`)
      continue
    }
    const [week = '', end = ''] = columns.map((at) => cells[at])
    const atMs = weekEndMs(end)
    if (week !== String(times.length)) throw refuse(`it must be about week ${times.length}, not ${describe(week)}`)
    if (Number.isNaN(atMs)) throw refuse(`${END_COLUMN} must be a day or a moment in UTC, received ${describe(end)}`)
    if (atMs <= (times.at(-1) ?? Number.NEGATIVE_INFINITY))
      throw refuse(`week ${week} does not end after the week before`)
    times.push(atMs)
  }
  if (times.length === 0) throw damaged(file, 'it holds no week')
  return times
}
