/**
 * A writer and three readers search one index and are killed at random, again and again. What was asked long enough
 * before the death of its process is in the workload, nothing is counted more often than it was asked, and the inbox
 * stays small.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Freshdex } from 'freshdex'
import { expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  readonly id: number
  readonly body: string
}

const SCRIPT = fileURLToPath(new URL('asking-child.mjs', import.meta.url))
/** Far more than a transaction takes on a machine that does other things as well, and far less than a round. */
const LEARN_FLUSH_MS = 400
const SEARCHES = rounds(2000, 10_000)
const ROUNDS = rounds(2, 10)
const INBOX_BYTES = 1024 * 1024

interface Ask {
  readonly atMs: number
  readonly query: string
}

/** A process that asks, and what it said. */
class Learner {
  readonly asks: Ask[] = []
  readonly opened: Promise<void>
  readonly #child
  readonly #ended: Promise<void>
  diedMs = Number.NaN

  constructor(folder: string, options: object, name: string, searches: number, seed: number) {
    const args = [SCRIPT, folder, JSON.stringify(options), name, String(searches), String(seed)]
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: this.#child.stdout })
    this.#ended = new Promise((resolve) => lines.once('close', () => resolve()))
    this.opened = new Promise((resolve, reject) => {
      this.#child.once('exit', () => reject(new Error(`${name} could not open the index`)))
      lines.on('line', (line) => {
        if (line === 'open') resolve()
        else if (line !== 'done') this.#said(line)
      })
    })
  }

  #said(line: string): void {
    const at = line.indexOf(' ')
    // A line that was cut off by the death of the process was not asked.
    if (at > 0 && line.length > at + 2) this.asks.push({ atMs: Number(line.slice(0, at)), query: line.slice(at + 1) })
  }

  /** The time of death is taken before the signal: later asks are younger than that in any case. */
  async kill(): Promise<void> {
    this.diedMs = Date.now()
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

function countsOf(asks: readonly Ask[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { query } of asks) counts.set(query, (counts.get(query) ?? 0) + 1)
  return counts
}

test('what a writer and three readers learnt survives their deaths, and counts once', { timeout: 600_000 }, () =>
  withSeed('killed learners', async (seed) => {
    console.log(`seed ${seed}, ${SEARCHES} searches in ${ROUNDS} rounds`)
    const random = new SeededRandom(seed)
    const folder = newPath()
    const workload = { learnFlushMs: LEARN_FLUSH_MS, halfLifeMs: Number.MAX_VALUE, maxQueries: 100_000 }
    const index = await Freshdex.open<Page>(folder, { key: 'id', fields: { body: {} }, workload })
    await index.write({ put: Array.from({ length: 40 }, (_, nth) => ({ id: nth, body: `common${nth}` })) })
    await index.close()
    const learners: Learner[] = []
    const begin = async (name: string, options: object) => {
      const searches = SEARCHES / ROUNDS / 4
      const learner = new Learner(folder, { ...options, workload }, name, searches, random.uint32())
      learners.push(learner)
      await learner.opened
      return learner
    }
    let largest = 0
    for (let round = 0; round < ROUNDS; round++) {
      const all = [
        await begin(`w${round}`, {}),
        ...(await Promise.all([1, 2, 3].map((nth) => begin(`r${round}n${nth}`, { readOnly: true })))),
      ]
      // Each at a time of its own, some in the middle of a commit, and some long after their last search.
      await Promise.all(
        all.map(async (learner) => {
          await new Promise((resolve) => setTimeout(resolve, random.between(100, 2500)))
          await learner.kill()
        }),
      )
      largest = Math.max(largest, statSync(path.join(folder, 'inbox.db'), { throwIfNoEntry: false })?.size ?? 0)
    }
    const again = await Freshdex.open<Page>(folder, { workload })
    await again.workload.flush()
    const kept = new Map(again.workload.queries().map(({ query, weight }) => [query, Math.round(weight)]))
    const stats = again.stats().workload
    await again.close()
    const asked = countsOf(learners.flatMap(({ asks }) => asks))
    const old = learners.flatMap(({ asks, diedMs }) => asks.filter(({ atMs }) => atMs < diedMs - LEARN_FLUSH_MS))
    const due = countsOf(old)
    const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
    console.log(`asked ${total(asked)}, due ${total(due)}, kept ${total(kept)}, largest inbox ${largest} bytes`)
    const lost = [...due].filter(([query, count]) => (kept.get(query) ?? 0) < count)
    const doubled = [...kept].filter(([query, count]) => count > (asked.get(query) ?? 0))
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
    expect(total(due)).toBeGreaterThan(total(asked) / 10)
    expect(stats).toMatchObject({ lost: 0, dropped: 0, inboxFailure: undefined })
    expect(largest).toBeLessThan(INBOX_BYTES)
  }),
)
