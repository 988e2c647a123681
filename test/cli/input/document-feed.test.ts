import { setImmediate } from 'node:timers/promises'
import { Freshdex, FreshdexError } from 'freshdex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DocumentFeed, type FeedOptions } from '../../../src/cli/input/document-feed.js'
import type { InputLine } from '../../../src/cli/input/lines.js'

type Document = Record<string, unknown>

const OPTIONS: FeedOptions = { batch: 3, remove: false, onError: 'stop', key: 'id' }

let index: Freshdex<Document>

beforeEach(async () => {
  index = await Freshdex.open<Document>(':memory:', { key: 'id', fields: { text: {} } })
})

afterEach(() => index.close())

async function* linesOf(texts: Iterable<string | undefined>): AsyncGenerator<InputLine> {
  let number = 0
  for (const text of texts) yield { source: 'input', number: ++number, text, bytes: text?.length ?? 0 }
}

function documentLines(count: number): string[] {
  return Array.from({ length: count }, (_, id) => JSON.stringify({ id, text: `word${id}` }))
}

async function feed(texts: Iterable<string | undefined>, options: Partial<FeedOptions> = {}) {
  const feed = new DocumentFeed((batch) => index.write(batch), { ...OPTIONS, ...options })
  const failure = await feed.run(linesOf(texts), new AbortController()).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { tally: feed.tally, failure }
}

describe('DocumentFeed', () => {
  it('writes batches of the given size and a last one of what is left', async () => {
    const { tally, failure } = await feed(documentLines(8))
    expect(failure).toBeUndefined()
    expect(tally).toMatchObject({ documents: 8, added: 8, batches: 3, skipped: 0, errors: [] })
    expect(index.stats().documents).toBe(8)
  })

  it('passes over empty lines and writes nothing where there is nothing', async () => {
    expect((await feed(['', ' \t', ''])).tally).toMatchObject({ documents: 0, batches: 0, skipped: 0 })
  })

  it('never has two writes under way, nor more than one batch gathered besides', async () => {
    let underWay = 0
    let mostUnderWay = 0
    let written = 0
    let read = 0
    let mostUnwritten = 0
    const feed = new DocumentFeed(async (batch) => {
      mostUnderWay = Math.max(mostUnderWay, ++underWay)
      const report = await index.write(batch)
      // Everybody else may go first.
      for (let turn = 0; turn < 20; turn++) await setImmediate()
      underWay--
      written += report.added
      return report
    }, OPTIONS)
    const watched = (function* () {
      for (const text of documentLines(30)) {
        mostUnwritten = Math.max(mostUnwritten, ++read - written)
        yield text
      }
    })()
    await feed.run(linesOf(watched), new AbortController())
    expect(feed.tally.documents).toBe(30)
    expect([mostUnderWay, mostUnwritten]).toEqual([1, 2 * OPTIONS.batch])
  })

  it('keeps the order of lines where a key comes again', async () => {
    const lines = ['a', 'b', 'a', 'a', 'c', 'b'].map((id, nth) => JSON.stringify({ id, text: `version ${nth}` }))
    const { tally } = await feed(lines, { batch: 100 })
    expect(tally).toMatchObject({ documents: 6, added: 3, replaced: 3, skipped: 0 })
    expect(['a', 'b', 'c'].map((id) => index.get(id)?.text)).toEqual(['version 3', 'version 5', 'version 4'])
  })

  it.each([
    ['is not JSON', '{"id":', 'it is not JSON', undefined],
    ['is not a document', '[1]', 'a document must be an object', undefined],
    ['has no key', '{"text":"x"}', 'it has no property "id", which is the key; it has text', undefined],
    ['has a key that cannot be one', '{"id":""}', 'a key must not be empty', 'INVALID_KEY'],
    ['has a field that is no text', '{"id":"x","text":5}', 'field "text"', undefined],
    ['is too long', undefined, 'it is longer than 67108864 bytes', undefined],
  ])('stops at a line that %s: earlier batches stay, nothing of its own is written', async (_, bad, message, code) => {
    const lines = documentLines(8)
    const { tally, failure } = await feed([...lines.slice(0, 5), bad, ...lines.slice(5)])
    expect(failure).toMatchObject({ message: expect.stringContaining(`line 6 of input: ${message}`), code })
    expect(tally).toMatchObject({ documents: 3, skipped: 0, errors: [{ source: 'input', line: 6 }] })
    expect(index.stats().documents).toBe(3)
  })

  it('passes over bad lines when told so, and reports the first ten in their order', async () => {
    const lines = documentLines(20).flatMap((line, nth) => [line, nth % 2 === 0 ? 'nonsense' : '{"id":null}'])
    const { tally, failure } = await feed(lines, { onError: 'skip', batch: 7 })
    expect(failure).toBeUndefined()
    expect(tally).toMatchObject({ documents: 20, added: 20, skipped: 20 })
    expect(tally.errors.map(({ line }) => line)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
    expect(index.stats().documents).toBe(20)
  })

  it('reports the first fault when the batch under way and the one being gathered have one each', async () => {
    const { tally, failure } = await feed(['{"id":1}', '{"id":2}', '{"id":[]}', 'nonsense'])
    expect(failure).toMatchObject({ message: expect.stringContaining('line 3') })
    expect(tally.errors).toHaveLength(1)
    expect(index.stats().documents).toBe(0)
  })

  it('removes keys', async () => {
    await feed(documentLines(5))
    const { tally } = await feed(['1', '"1"', '3', '1'], { remove: true })
    expect(tally).toMatchObject({ documents: 0, removed: 2, missing: 2, skipped: 0 })
    expect([0, 1, 2, 3, 4].filter((key) => index.has(key))).toEqual([0, 2, 4])
  })

  it('takes a failure of the index for what it is, not for that of a line', async () => {
    const closed = await Freshdex.open<Document>(':memory:', { key: 'id', fields: { text: {} } })
    await closed.close()
    const feed = new DocumentFeed((batch) => closed.write(batch), { ...OPTIONS, onError: 'skip' })
    await expect(feed.run(linesOf(documentLines(8)), new AbortController())).rejects.toThrow(FreshdexError)
    expect(feed.tally).toMatchObject({ documents: 0, skipped: 0, errors: [] })
  })

  it('ends an input that is waited for when a write fails', async () => {
    const stop = new AbortController()
    async function* endless(): AsyncGenerator<InputLine> {
      yield* linesOf(['{"id":1}', '{"id":2}', '{"id":null}'])
      await new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason)))
    }
    const feed = new DocumentFeed((batch) => index.write(batch), OPTIONS)
    await expect(feed.run(endless(), stop)).rejects.toThrow('line 3 of input')
  })
})
