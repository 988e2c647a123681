/**
 * A process is killed (-9) while it compacts, backs up, closes, salvages or writes, with either durability, again and
 * again in the same folder. Nothing that was acknowledged is lost, nothing is there by halves, and what was under way
 * can be done again. FRESHDEX_KILLS says how many kills of each kind and durability; FRESHDEX_LONG=1: 100.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newDiskPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { bodiesAfter, OPTIONS, UPKEEP, type WorkingDocument } from './working-batches.mjs'

const KILLS = Number(process.env.FRESHDEX_KILLS ?? rounds(2, 100))
/** Then another folder, so that what has to be replayed for a comparison stays short. */
const KILLS_PER_FOLDER = 12

const WORKS = ['write', 'compact', 'backup', 'close', 'salvage'] as const
type Work = (typeof WORKS)[number]

// Series wait for processes most of the time: two fill the machine.
describe.concurrent('a process killed at work', () => {
  for (const durability of ['process', 'power'] as const) {
    for (const work of WORKS) {
      test(`loses nothing: ${work}, durability ${durability}`, { timeout: 3_600_000 }, async () => {
        await withSeed(`kills at work ${work} ${durability}`, async (seed) => {
          const series = new KillsAtWork(seed, work, durability)
          while (series.counts.kills < KILLS) await series.killOnce()
          console.log(`seed ${seed}, ${work}, durability ${durability}:`, JSON.stringify(series.counts))
          expect(series.counts.acknowledged).toBeGreaterThan(0)
          series.end()
        })
      })
    }
  }
})

class KillsAtWork {
  readonly counts = { kills: 0, atWork: 0, acknowledged: 0, unsaid: 0, targetsFound: 0, partialsFound: 0 }
  readonly #random: SeededRandom
  readonly #work: Work
  readonly #durability: 'process' | 'power'
  #folder = ''
  #number = 0
  /** How long a piece of work takes, as far as is known. */
  #workMs = 60

  constructor(seed: number, work: Work, durability: 'process' | 'power') {
    this.#random = new SeededRandom(seed)
    this.#work = work
    this.#durability = durability
  }

  async killOnce(): Promise<void> {
    if (this.counts.kills++ % KILLS_PER_FOLDER === 0) {
      this.end()
      this.#folder = newDiskPath()
      this.#number = 0
    }
    const { acknowledged, sent, isAtWork } = await this.#run()
    if (isAtWork) this.counts.atWork++
    this.counts.acknowledged += acknowledged - this.#number
    await this.#expectTargets()
    const index = await Freshdex.open<WorkingDocument>(this.#folder, {
      ...OPTIONS,
      durability: this.#durability,
      upkeep: UPKEEP,
    })
    try {
      const { sequence } = index.stats()
      expect(sequence).toBeGreaterThanOrEqual(acknowledged)
      expect(sequence).toBeLessThanOrEqual(sent)
      if (sequence > acknowledged) this.counts.unsaid++
      this.#number = sequence
      await expectWhole(index, sequence)
      expect(readdirSync(path.join(this.#folder, 'segments'))).toHaveLength(index.stats().disk?.segments as number)
    } finally {
      await index.close()
    }
  }

  end(): void {
    if (this.#folder === '') return
    for (const name of this.#neighbours()) rmSync(path.join(path.dirname(this.#folder), name), { recursive: true })
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #neighbours(): string[] {
    const { dir, base } = path.parse(this.#folder)
    return readdirSync(dir).filter((name) => name.startsWith(`${base}-`))
  }

  /** A target has its name only when it is whole; what is left of an unfinished one is in nobody's way. */
  async #expectTargets(): Promise<void> {
    for (const name of this.#neighbours()) {
      const target = path.join(path.dirname(this.#folder), name)
      if (name.includes('.partial-')) {
        this.counts.partialsFound++
      } else {
        this.counts.targetsFound++
        const copy = await Freshdex.open<WorkingDocument>(target, OPTIONS)
        await expectWhole(copy, Number(name.split('-').at(-1)))
        await copy.close()
      }
      rmSync(target, { recursive: true })
    }
    if (this.#work !== 'salvage') return
    // What was cut off can be done again, beside an index that was killed while it was open.
    const again = `${this.#folder}-again`
    const { lost, problems } = await salvage(this.#folder, again)
    expect([lost, problems]).toEqual([[], []])
    rmSync(again, { recursive: true })
    expect(existsSync(again)).toBe(false)
  }

  async #run() {
    const script = fileURLToPath(new URL('working-child.mjs', import.meta.url))
    const args = [this.#folder, this.#work, this.#durability, String(this.#number)]
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = await this.#killed(child)
    const numbers = (letter: string) => [this.#number, ...said.filter(([first]) => first === letter).map(([, n]) => n)]
    const count = (letter: string) => said.filter(([first]) => first === letter).length
    return {
      acknowledged: Math.max(...numbers('a')),
      sent: Math.max(...numbers('s')),
      isAtWork: count('b') > count('e'),
    }
  }

  /** Kills it within one of its first pieces of work, or between them. */
  async #killed(child: ChildProcess): Promise<(readonly [string, number])[]> {
    let output = ''
    let errors = ''
    let begun = 0
    const closed = once(child, 'close')
    const doomed = this.#random.between(1, 3)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    let begunAt = 0
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const line of text.split('\n')) {
        if (line === 'e' && begunAt > 0) this.#workMs = (this.#workMs + performance.now() - begunAt) / 2
        if (line !== 'b') continue
        begunAt = performance.now()
        if (++begun === doomed) setTimeout(() => child.kill('SIGKILL'), this.#random.next() * this.#workMs * 1.2)
      }
    })
    const [code, signal] = await closed
    if (signal !== 'SIGKILL') throw new Error(`the process ended by itself: ${code} ${signal}\n${errors}`)
    return output.split('\n').map((line) => [line.charAt(0), Number(line.slice(2))] as const)
  }
}

async function expectWhole(index: Freshdex<WorkingDocument>, batches: number): Promise<void> {
  const bodies = bodiesAfter(batches)
  const found = new Map([...index.documents()].map(({ id, body }) => [id, body]))
  expect(found).toEqual(bodies)
  expect(await index.check()).toMatchObject({ ok: true, documents: bodies.size })
  if (batches === 0) return
  const { hits, total } = index.search(`batch${batches}`, { limit: 100, learn: false })
  const expected = [...bodies].filter(([, body]) => body.startsWith(`batch${batches} `)).map(([id]) => id)
  expect(total).toBe(expected.length)
  expect(new Set(hits.map(({ key }) => key))).toEqual(new Set(expected))
}
