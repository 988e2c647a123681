/**
 * A write that fails at each of its stages: everything that knows of documents is as it was, and the next write works.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NEVER_STOPS } from '../../src/base/abort.js'
import { Gate } from '../../src/base/gate.js'
import { TurnQueue } from '../../src/base/turns.js'
import { BatchEncoder } from '../../src/core/batch.js'
import { nativeEngine } from '../../src/core/engine.js'
import { Prioritizer } from '../../src/prioritizer.js'
import { readingAside } from '../../src/snapshot.js'
import { openStorage } from '../../src/storage/open.js'
import type { Storage } from '../../src/storage/storage.js'
import { CpuAccount } from '../../src/write/cpu-account.js'
import { MemoryLimit } from '../../src/write/memory-limit.js'
import { finishWrite, type WriteContext, type Writer, write } from '../../src/write/pipeline.js'

interface Page {
  readonly url: string
  readonly body: string
}

const DAY_MS = 86_400_000
const OPTIONS = { key: 'url', fields: { body: {} } }

let storage: Storage<Page>
let prioritizer: Prioritizer
let context: WriteContext
/** What the next write works with; undefined: the storage's own. */
let faulty: Writer | undefined

beforeEach(async () => {
  const gate = new Gate()
  const turns = new TurnQueue()
  const opened = await openStorage<Page>(':memory:', OPTIONS, gate)
  storage = opened.storage
  const cpu = new CpuAccount(storage.clocks)
  prioritizer = new Prioritizer({
    engine: nativeEngine(storage, opened.settings, readingAside(storage, gate)),
    store: storage.rows,
    settings: opened.prioritizer,
    gate,
    turns,
    cpu,
    now: () => 100 * DAY_MS,
  })
  const encoder = new BatchEncoder(opened.settings)
  const { settings } = opened
  const memory = new MemoryLimit(undefined, () => ({ ...storage.reader.heldMemory(), ...prioritizer.memory() }))
  const writer = () => faulty ?? storage.writer()
  context = { gate, turns, encoder, cpu, memory, account: prioritizer, links: undefined, settings, writer }
  prioritizer.workload.record('moor', { count: 10, at: 0 })
  await write({ put: [page('a', 'moor and fen'), page('b', 'moor moor')] }, 0, context)
  await prioritizer.frontier.add([{ url: '/c', anchors: ['the moor'] }], { at: 0 })
  await prioritizer.fit()
})

afterEach(async () => {
  faulty = undefined
  await storage.close()
})

function page(url: string, body: string): Page {
  return { url, body }
}

/** Everything that a failed write could have left a trace in. */
function known() {
  const { ledger } = prioritizer.history()
  return {
    rows: [0, 1, 2].map((doc) => ledger.rowOf(doc)),
    totals: ledger.totals(),
    questions: ledger.questions,
    frontier: prioritizer.frontier.size,
    queries: prioritizer.workload.queries({ at: 0 }),
    answers: storage.reader.searches.search('moor', undefined).hits.map(({ key, score }) => [key, score]),
    documents: storage.reader.stats().documents,
  }
}

const BATCH = { put: [page('a', 'a heath'), page('/c', 'the moor at night')], remove: ['b'] }

const failure = new Error('a stage failed')
const fail = async (): Promise<never> => {
  throw failure
}

const STAGES: Readonly<Record<string, (real: Writer) => Writer>> = {
  prepare: (real) => ({ ...real, core: { ...real.core, prepare: fail } }),
  measure: (real) => ({ ...real, core: { ...unmeasured(real), measure: fail } }),
  commit: (real) => ({ ...real, journal: { ...real.journal, commit: fail } }),
  'commit, after the rows were made': (real) => ({
    ...real,
    journal: {
      ...real.journal,
      commit: async (_, rows) => {
        await rows
        throw failure
      },
    },
  }),
  'commit, while the batch is measured': (real) => ({
    ...real,
    core: unmeasured(real),
    journal: { ...real.journal, commit: fail },
  }),
  publish: (real) => ({ ...real, core: { ...real.core, publish: fail } }),
}

/** A core that leaves the measuring of every batch to measure(), as it does with large ones. */
function unmeasured({ core }: Writer): Writer['core'] {
  let measure: Awaited<ReturnType<typeof core.measure>> | undefined
  return {
    ...core,
    prepare: async (bytes) => {
      const prepared = await core.prepare(bytes)
      measure = prepared.measure
      return { ...prepared, measure: undefined }
    },
    measure: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return measure ?? core.measure()
    },
  }
}

describe('a write that fails in', () => {
  for (const [stage, breaking] of Object.entries(STAGES)) {
    it(`${stage} leaves no trace`, async () => {
      const before = known()
      faulty = breaking(storage.writer())
      await expect(write(BATCH, DAY_MS, context)).rejects.toBe(failure)
      expect(known()).toEqual(before)
      faulty = undefined
      const report = await write(BATCH, DAY_MS, context)
      expect(report).toMatchObject({ added: 1, replaced: 1, removed: 1 })
      expect(known()).not.toEqual(before)
      expect((await storage.check(3, NEVER_STOPS)).faults).toEqual([])
    })
  }

  it('commit is told as such when the core cannot discard the batch either', async () => {
    const real = storage.writer()
    const discard = async (): Promise<never> => {
      throw new Error('nothing can be discarded')
    }
    faulty = { ...real, core: { ...real.core, discard }, journal: { ...real.journal, commit: fail } }
    await expect(write(BATCH, DAY_MS, context)).rejects.toBe(failure)
    await real.core.discard()
  })

  it('enter leaves no trace', async () => {
    const before = known()
    const prepared = await storage.writer().core.prepare(context.encoder.encode(BATCH).bytes)
    const entering = () => {
      throw failure
    }
    const batch = { prepared, keys: ['a', '/c'], stored: undefined }
    await expect(finishWrite(batch, storage.writer(), entering)).rejects.toBe(failure)
    expect(known()).toEqual(before)
  })
})

it('a batch keeps its bytes while it waits, whatever is encoded meanwhile', async () => {
  const { encoder } = context
  const batches = Array.from({ length: 4 }, (_, nth) =>
    encoder.encode({ put: [page(`p${nth}`, `word${nth} `.repeat(9))] }),
  )
  const texts = batches.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
  texts.forEach((text, nth) => {
    expect(text).toContain(`word${nth} word${nth}`)
  })
  const [first] = batches
  first?.release()
  first?.release()
  // The memory that the first batch had is lent again, once: the others are as they were.
  const next = encoder.encode({ put: [page('q', 'another')] })
  expect(next.bytes.buffer).toBe(first?.bytes.buffer)
  expect(batches.slice(1).map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).toEqual(texts.slice(1))
})
