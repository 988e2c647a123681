/**
 * A process for each week: opens the index that the week before has left, writes the week and closes it. What counts is
 * the CPU time from before the opening until after the closing; starting Node and reading the week's pages do not.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runProgram } from './child-process.js'
import type { CronSpec } from './cron-process.js'
import type { Runner } from './overhead-runs.js'
import type { CountedQuery, Week } from './snapshot-data.js'

export class CronWeeks {
  readonly #work = mkdtempSync(path.join(tmpdir(), 'freshdex-cron-'))
  readonly #weeks: number
  readonly #prepared = new Set<Runner>()

  /** The first week is complete. */
  constructor(weeks: readonly Week[], queries: readonly CountedQuery[]) {
    this.#weeks = weeks.length
    weeks.forEach((week, number) => {
      writeFileSync(this.#weekFile(number), JSON.stringify(week))
    })
    writeFileSync(this.#queriesFile, JSON.stringify(queries))
  }

  /** CPU microseconds of all weeks after the first one together. */
  replay(runner: Runner): number {
    const first = path.join(this.#work, runner)
    if (!this.#prepared.has(runner)) this.#run(runner, first, 0)
    this.#prepared.add(runner)
    const folder = path.join(this.#work, `${runner}-replayed`)
    cpSync(first, folder, { recursive: true })
    let cpuUs = 0
    for (let week = 1; week < this.#weeks; week++) cpuUs += this.#run(runner, folder, week)
    rmSync(folder, { recursive: true })
    return cpuUs
  }

  remove(): void {
    rmSync(this.#work, { recursive: true, force: true })
  }

  #run(runner: Runner, folder: string, number: number): number {
    const spec: CronSpec = {
      ...{ runner, folder, number },
      ...{ weekFile: this.#weekFile(number), queriesFile: this.#queriesFile },
    }
    return runProgram<number>('cron-process', spec)
  }

  #weekFile(number: number): string {
    return path.join(this.#work, `week-${number}.json`)
  }

  get #queriesFile(): string {
    return path.join(this.#work, 'queries.json')
  }
}
