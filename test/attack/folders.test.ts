/**
 * Folders that somebody has made to do harm: links, pipes, foreign tables, values of any kind with right checksums, and
 * scribbled bytes. No process dies or hangs, every failure has a code, and nothing outside the folder changes.
 * FRESHDEX_FOLDERS and FRESHDEX_FILES say how many of each.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Freshdex } from 'freshdex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'

const CHILD = fileURLToPath(new URL('folder-child.mjs', import.meta.url))
const PATIENCE_MS = 60_000

let root = ''
beforeAll(async () => {
  root = makeTemporaryFolder('attack')
  await makeSpecimen(path.join(root, 'specimen'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Page {
  id: string | number
  title: string
  body: string
}

/** Small, with something in every table and both images. */
async function makeSpecimen(folder: string): Promise<void> {
  const options = { key: 'id', fields: { title: { boost: 2 }, body: {} } } as const
  const page = (nth: number, version = 0): Page => ({
    id: nth % 4 === 0 ? nth : `page/${nth}`,
    title: `title t${nth}`,
    body: `common ${Array.from({ length: 12 }, (_, at) => `w${(nth * 7 + at * at) % 40}`).join(' ')} v${version}`,
  })
  const index = await Freshdex.open<Page>(folder, options)
  await index.write({ put: Array.from({ length: 60 }, (_, nth) => page(nth)) })
  for (const query of ['w1', 'w2 w3', 'nothing here']) index.workload.record(query)
  index.workload.click('w1', 0, 1)
  await index.refresh.fit()
  await index.compact()
  await index.write({ put: [page(4, 1), page(5, 1)], remove: ['page/9'] })
  await index.refresh.signalAll([[0, { kind: 'feed' }]])
  await index.refresh.observe(0, { outcome: 'same' })
  await index.frontier.add([{ url: '/found', anchors: ['w1 w2'], inlinks: 3 }])
  await index.clusters.build().catch(() => {})
  await index.refresh.next({ budget: 5, minIntervalMs: 0 })
  await index.close()
  const reader = await Freshdex.open<Page>(folder, { readOnly: true })
  reader.search('w5')
  await reader.workload.flush()
  await reader.close()
}

/** One process for many folders; another where one has died. */
class Attacked {
  readonly #scratch: string
  #child: ChildProcess | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(scratch: string) {
    this.#scratch = scratch
  }

  async outcomeOf(job: object): Promise<string> {
    if (this.#child === undefined) this.#start()
    this.#child?.stdin?.write(`${JSON.stringify(job)}\n`)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('WRONG it hangs'), PATIENCE_MS)
    })
    const told = this.#lines!.next().then(({ value, done }) => (done === true ? 'WRONG it died' : (value as string)))
    const outcome = await Promise.race([told, late])
    clearTimeout(timer)
    if (outcome === 'WRONG it hangs' || outcome === 'WRONG it died') this.end()
    return outcome
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): void {
    mkdirSync(this.#scratch, { recursive: true })
    const args = [CHILD, path.join(root, 'specimen'), path.join(this.#scratch, 'scratch')]
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
  }
}

const KINDS = {
  folders: {
    harms: ['replaceByLink', 'replaceByPipe', 'foreignSchema'],
    count: Number(process.env.FRESHDEX_FOLDERS ?? rounds(25, 500)),
    isLarge: process.env.FRESHDEX_FOLDERS !== undefined,
  },
  files: {
    harms: ['scribbleRows', 'forgeImage', 'scribbleBytes'],
    count: Number(process.env.FRESHDEX_FILES ?? rounds(40, 5000)),
    isLarge: process.env.FRESHDEX_FILES !== undefined,
  },
}

test.each(Object.entries(KINDS))('hostile %s do no harm', async (name, { harms, count, isLarge }) => {
  await withSeed(`hostile ${name}`, async (seed) => {
    const random = new SeededRandom(seed)
    const attacked = new Attacked(path.join(root, name))
    const outcomes = new Map<string, number>()
    const wrong: string[] = []
    for (let nth = 0; nth < count; nth++) {
      const job = { seed: random.uint32(), harms }
      const outcome = await attacked.outcomeOf(job)
      if (outcome.startsWith('WRONG')) wrong.push(`${JSON.stringify(job)}: ${outcome}`)
      else outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (wrong.length >= 20) break
    }
    attacked.end()
    if (isLarge)
      console.info(`seed ${seed}:`, Object.fromEntries(outcomes), `${wrong.length} wrong\n${wrong.join('\n')}`)
    expect(wrong).toEqual([])
  })
})
