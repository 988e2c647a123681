/**
 * Every call that changes a file fails once, or from then on, in a whole system: searches go on, the writer says what
 * happened and then that it is poisoned, and the next opening finds everything that was acknowledged. FRESHDEX_LONG=1:
 * each call in each way.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { IS_LONG } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'
import { codeOf } from './steps.mjs'

const { ENOSPC, EIO } = os.constants.errno
/** Of each durability, in the ordinary run. */
const CASES = 24
const BATCHES = 8
const COMPACT_AT = 6

interface Task {
  readonly name: string
  readonly seed: number
  readonly batches: number
  readonly compactAt: number
  readonly durability: 'power' | 'process'
  readonly at: number
  readonly lasts: boolean
  /** 0: the call writes half of its bytes. */
  readonly error: number
}

interface Failure {
  readonly code: string
  readonly cause: string | null
  readonly message: string
}

interface Outcome {
  readonly name: string
  /** The code of the position. */
  readonly acknowledged: number
  readonly sent: number
  readonly opening?: Failure
  readonly failure: Failure | null
  readonly later: Failure | null
  readonly closing: Failure | null
  /** What was wrong with what the index showed after the failure. */
  readonly after: string | null
  readonly calls: number
  readonly failed: number
  /** The call that failed first, and its file. */
  readonly first: string
  readonly reopened: {
    readonly error?: Failure
    readonly ok: boolean
    readonly difference: string | null
    readonly faults: readonly object[]
  }
}

let shim = ''

// The shim is for Linux: it asks /proc which file a call is about, and the loader knows it as a preloaded library.
describe.runIf(process.platform === 'linux')('a disk that fails', () => {
  beforeAll(() => {
    shim = `${newPath('failing-disk')}.so`
    mkdirSync(path.dirname(shim), { recursive: true })
    const source = fileURLToPath(new URL('failing_disk.c', import.meta.url))
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', shim, source, '-ldl'])
  })

  test.each(['process', 'power'] as const)(
    'takes nothing that was acknowledged, with the durability of %s',
    { timeout: 7_200_000 },
    async (durability) => {
      await withSeed(`fault ${durability}`, async (seed) => {
        const whole = { seed, batches: BATCHES, compactAt: COMPACT_AT, durability }
        const [sound] = (await play([{ ...whole, name: 'sound', at: 0, lasts: false, error: 0 }])) as [Outcome]
        const end = codeOf({ number: BATCHES, step: 0 })
        expect(sound).toMatchObject({ acknowledged: end, failure: null, failed: 0 })
        expect(sound).toMatchObject({ after: null, closing: null, reopened: { ok: true, difference: null } })
        const outcomes = await play(tasksOf(new SeededRandom(seed), sound.calls, whole))
        const counts: Record<string, number> = { calls: sound.calls, cases: outcomes.length }
        const faults = outcomes.flatMap((outcome) => {
          const { kind, wrong } = judge(outcome)
          counts[kind] = (counts[kind] ?? 0) + 1
          return wrong === undefined ? [] : [{ wrong, outcome }]
        })
        console.log(`seed ${seed}, durability ${durability}:`, counts)
        expect(faults.slice(0, 5), `${faults.length} of ${outcomes.length} cases`).toEqual([])
      })
    },
  )
})

/** Each call in each way, or some of these. */
function tasksOf(random: SeededRandom, calls: number, whole: Omit<Task, 'name' | 'at' | 'lasts' | 'error'>): Task[] {
  const ways = [ENOSPC, EIO, 0].flatMap((error) => [false, true].map((lasts) => ({ error, lasts })))
  const all = Array.from({ length: calls }, (_, nth) => nth + 1).flatMap((at) =>
    ways.map((way) => ({ ...whole, ...way, at, name: `${at}-${way.error}-${way.lasts}` })),
  )
  return IS_LONG ? all : random.shuffle(all).slice(0, CASES)
}

/** Which of the allowed things it was, or what must not be. */
function judge(outcome: Outcome): { readonly kind: string; readonly wrong?: string } {
  const { opening, failure, later, after, closing, reopened } = outcome
  const isTold = (told: Failure | null | undefined) => told == null || /^(?:IO|DISK_FULL|POISONED)$/.test(told.code)
  const isPoisoned = (told: Failure | null) => told?.code === 'POISONED' && /^(?:IO|DISK_FULL)$/.test(told.cause ?? '')
  const rules: readonly (readonly [boolean, string])[] = [
    [[opening, failure, later, closing].every(isTold), 'a failure has another code'],
    [after === null, 'what the index showed after the failure'],
    [failure?.code !== 'POISONED' || isPoisoned(failure), 'poisoned without a cause'],
    [failure === null || isPoisoned(later), 'a write after the failure was not refused'],
    [reopened.error === undefined, 'it cannot be opened any more'],
    [
      reopened.ok && reopened.difference === null,
      'what the next opening found, between what was acknowledged and sent',
    ],
  ]
  const wrong = rules.find(([holds]) => !holds)?.[1]
  return wrong === undefined ? { kind: kindOf(outcome) } : { kind: 'WRONG', wrong }
}

function kindOf(outcome: Outcome): string {
  if (outcome.opening !== undefined) return 'refused to open'
  if (outcome.failure === null) return quiet(outcome)
  const { code, cause } = outcome.failure
  return code === 'POISONED' ? `${code} by ${cause}` : code
}

/** A failure that nobody heard of. */
function quiet({ name, failed, first }: Outcome): string {
  if (failed === 0) return 'not reached'
  if (name.split('-')[1] === '0') return 'written in two parts'
  return `without consequence: ${first.replace(/ \/case-[^/]+/, ' index')}`
}

/** Runs the cases in one process under the shim. */
async function play(tasks: readonly Task[]): Promise<Outcome[]> {
  const folder = makeTemporaryFolder('faults')
  const control = newPath('control')
  writeFileSync(control, Buffer.alloc(168))
  const child = spawn(process.execPath, [fileURLToPath(new URL('fault-child.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LD_PRELOAD: shim, FAILING_DISK_FOLDER: folder, FAILING_DISK_CONTROL: control },
  })
  const closed = once(child, 'close')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdin.end(tasks.map((task) => `${JSON.stringify(task)}\n`).join(''))
  const outcomes: Outcome[] = []
  for await (const line of createInterface({ input: child.stdout })) outcomes.push(JSON.parse(line) as Outcome)
  const [code, signal] = await closed
  rmSync(folder, { recursive: true, force: true })
  expect({ code, signal, errors, cases: outcomes.length }).toEqual({
    code: 0,
    signal: null,
    errors: '',
    cases: tasks.length,
  })
  return outcomes
}
