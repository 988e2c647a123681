/** The sketches that batches bring along: how far apart two versions of a page are can be estimated from theirs. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/base/gate.js'
import { NO_MINIMUM, SKETCH_MINIMA } from '../../src/change/sketches.js'
import { BatchEncoder, type WriteBatch } from '../../src/core/batch.js'
import { BatchOutcome, type PreparedBatch } from '../../src/engine.js'
import { RefreshHistory } from '../../src/refresh/history.js'
import { openStorage } from '../../src/storage/open.js'
import { NOTHING_KEPT } from '../../src/workload/stored-workload.js'
import { finishWrite } from '../../src/write/pipeline.js'
import { newPath } from '../storage/temporary-folder.js'
import { STEMLESS, Vocabulary } from '../support/corpus.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  readonly url: string
  readonly title?: string
  readonly body: string
  readonly links?: number
}

const OPTIONS = { key: 'url', fields: { title: {}, body: {} }, scoring: { weight: 'links' } }

/** What a write makes durable besides its history. */
const NOTHING_ELSE = {
  ...{ frontier: undefined, stakes: new Float64Array(), write: undefined, curves: undefined },
  workload: {
    ...{ rows: [], droppedIds: [], isAny: false, nextQueryId: 0 },
    ...{ privacy: 'text' as const, clicks: undefined, kept: NOTHING_KEPT },
  },
}

/** The storage below Freshdex, whose batches can be looked at. */
async function openWriter(path = ':memory:', options: object = {}) {
  const { storage, settings } = await openStorage<Page>(path, { ...OPTIONS, ...options }, new Gate())
  const encoder = new BatchEncoder(settings)
  const history = new RefreshHistory(undefined)
  const write = async (given: WriteBatch<Page>): Promise<PreparedBatch> => {
    const writer = storage.writer()
    const batch = encoder.encode(given)
    const { keys } = batch
    const stored = writer.journal.storedForms(batch)
    const prepared = await writer.core.prepare(batch.bytes)
    batch.release()
    await finishWrite({ prepared, keys, stored }, writer, (measure) => {
      const { rows, undo } = history.enter({ prepared, measure, keys, removedKeys: [], atMs: 0 }, 0)
      return { rows: { ...NOTHING_ELSE, ...rows, questions: history.ledger.questions }, undo }
    })
    return prepared
  }
  return { write, close: () => storage.close() }
}

const sketchOf = ({ sketches }: PreparedBatch, at: number) =>
  Array.from(sketches.subarray(at * SKETCH_MINIMA, (at + 1) * SKETCH_MINIMA))
const NONE = Array.from({ length: SKETCH_MINIMA }, () => NO_MINIMUM)

function shinglesOf(words: readonly string[]): ReadonlySet<string> {
  const count = Math.max(words.length - 3, Math.min(words.length, 1))
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + 4).join(' ')))
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((shingle) => b.has(shingle)).length
  return shared / (a.size + b.size - shared)
}

/** Broder: of the smallest values of both together, how many are in both. */
function estimatedSimilarity(a: readonly number[], b: readonly number[]): number {
  const both = [...new Set([...a, ...b])].filter((value) => value !== NO_MINIMUM).sort((x, y) => x - y)
  const smallest = both.slice(0, SKETCH_MINIMA)
  return smallest.filter((value) => a.includes(value) && b.includes(value)).length / smallest.length
}

describe('sketches of a batch', () => {
  test.each([':memory:', 'a folder'])('estimate the true difference of versions, in %s', async (place) => {
    await withSeed('sketches', async (seed) => {
      const random = new SeededRandom(seed)
      const vocabulary = new Vocabulary(random, 3000, STEMLESS)
      const draw = () => vocabulary.draw(random)
      const before = Array.from({ length: 600 }, () => Array.from({ length: random.between(20, 400) }, draw))
      const after = before.map((words) => {
        const share = random.next() ** 3
        return words.map((word) => (random.chance(share) ? draw() : word))
      })
      const writer = await openWriter(place === ':memory:' ? place : newPath())
      const put = (texts: readonly string[][]) =>
        writer.write({ put: texts.map((words, at) => ({ url: `p${at}`, body: words.join(' ') })) })
      const first = await put(before)
      const second = await put(after)
      await writer.close()

      let [error, variance, pages] = [0, 0, 0]
      for (const [at, outcome] of second.outcomes.entries()) {
        if (outcome !== BatchOutcome.changed) {
          expect(sketchOf(second, at)).toEqual(NONE)
          continue
        }
        const truth = similarity(shinglesOf(before[at]!), shinglesOf(after[at]!))
        error += estimatedSimilarity(sketchOf(first, at), sketchOf(second, at)) - truth
        variance += (truth * (1 - truth)) / SKETCH_MINIMA
        pages++
      }
      expect(pages).toBeGreaterThan(400)
      // Without bias the sum of so many errors is normally distributed: one in 16,000 runs is further off.
      expect(Math.abs(error) / Math.sqrt(variance)).toBeLessThan(4)
    })
  })

  test('are there for what was added or changed, in the order of the batch', async () => {
    const writer = await openWriter()
    const first = await writer.write({
      put: [
        { url: 'a', title: 'one two', body: 'three four five six seven' },
        { url: 'b', body: 'eight nine ten eleven' },
        { url: 'c', body: '' },
        { url: 'd', body: 'twelve' },
      ],
    })
    expect(Array.from(first.outcomes)).toEqual(Array(4).fill(BatchOutcome.added))
    // One shingle of the title and two of the body; all values ascend.
    expect(sketchOf(first, 0).filter((value) => value !== NO_MINIMUM)).toHaveLength(3)
    expect(sketchOf(first, 0)).toEqual(sketchOf(first, 0).toSorted((x, y) => x - y))
    expect(sketchOf(first, 1).slice(1)).toEqual(NONE.slice(1))
    expect(sketchOf(first, 2)).toEqual(NONE)
    const second = await writer.write({
      put: [
        { url: 'b', body: 'eight nine ten eleven', links: 7 },
        { url: 'a', title: 'one two', body: 'three four five six seven' },
        { url: 'c', body: 'eight nine ten eleven' },
      ],
      remove: ['d', 'nowhere'],
    })
    expect(Array.from(second.outcomes)).toEqual([
      ...[BatchOutcome.reweighted, BatchOutcome.same, BatchOutcome.changed],
      ...[BatchOutcome.removed, BatchOutcome.missing],
    ])
    expect(sketchOf(second, 2)).toEqual(sketchOf(first, 1))
    // None of a new weight alone: the text is the one that was sketched.
    for (const at of [0, 1, 3, 4]) expect(sketchOf(second, at)).toEqual(NONE)
    await writer.close()
  })

  test('are not made with changeProfiles off, and may be again at the next opening', async () => {
    const path = newPath()
    const put = [{ url: 'a', body: 'one two three four five' }]
    const unsketched = await openWriter(path, { changeProfiles: false })
    expect(await unsketched.write({ put })).toMatchObject({ sketches: new Uint32Array(), sketchUs: 0 })
    await unsketched.close()
    const sketched = await openWriter(path)
    const { sketches, sketchUs } = await sketched.write({ put: [{ url: 'a', body: 'one two three four six' }] })
    expect(sketches).toHaveLength(SKETCH_MINIMA)
    expect(sketchUs).toBeGreaterThan(0)
    await sketched.close()
  })
})

test.each([0, 6, 1.5])('changeProfiles may be a number from 1 to 5, not %j', async (changeProfiles) => {
  const options = { key: 'url', fields: { body: {} }, changeProfiles } as never
  await expect(Freshdex.open<Page>(':memory:', options)).rejects.toThrow(
    /changeProfiles must be an integer from 1 to 5/,
  )
})

test.each(['yes', null])('changeProfiles must be true or false, not %j', async (changeProfiles) => {
  const options = { key: 'url', fields: { body: {} }, changeProfiles } as never
  await expect(Freshdex.open<Page>(':memory:', options)).rejects.toThrow(
    /changeProfiles must be true or false, received/,
  )
})
