import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../src/base/errors.js'
import type { NativeIndex } from '../../src/core/addon-shape.js'
import { awaitNative, callNative, fromNative, loadAddon } from '../../src/core/binding.js'

describe('loading the addon', () => {
  it('gives a class of indexes', () => {
    expect(typeof loadAddon().Index).toBe('function')
  })

  it('is NATIVE_MISSING where there is none, and says how to build it', () => {
    const act = () => loadAddon(tmpdir())
    expect(act).toThrow(FreshdexError)
    expect(act).toThrow('npm run build')
    expect(act).toThrow(expect.objectContaining({ code: 'NATIVE_MISSING', cause: expect.any(Error) }))
  })
})

describe('errors of the addon', () => {
  const coded = Object.assign(new Error('too many'), { code: 'TOO_MANY_TERMS', detail: { limit: 5, odd: {} } })

  it('keep their code, message and flat detail', () => {
    const error = fromNative(coded)
    expect(error).toBeInstanceOf(FreshdexError)
    expect(error).toMatchObject({ code: 'TOO_MANY_TERMS', message: 'too many', detail: { limit: 5 }, cause: coded })
  })

  it.each<[string, unknown]>([
    ['an error without a code', new TypeError('wrong argument')],
    ['an error with a foreign code', Object.assign(new Error('no entry'), { code: 'ENOENT' })],
    ['an error with a code that every object has', Object.assign(new Error('x'), { code: 'constructor' })],
    ['a string', 'failed'],
    ['nothing', undefined],
  ])('are INTERNAL for %s', (_, cause) => {
    expect(fromNative(cause)).toMatchObject({ code: 'INTERNAL', cause })
  })

  it('are translated on the way out of calls, at once or later', async () => {
    const throwing = () => {
      throw coded
    }
    expect(() => callNative(throwing)).toThrow(expect.objectContaining({ code: 'TOO_MANY_TERMS' }))
    await expect(awaitNative(() => Promise.reject(coded))).rejects.toMatchObject({ code: 'TOO_MANY_TERMS' })
    await expect(awaitNative(throwing)).rejects.toMatchObject({ code: 'TOO_MANY_TERMS' })
    expect(callNative(() => 5)).toBe(5)
    await expect(awaitNative(async () => 5)).resolves.toBe(5)
  })

  it('of our own class pass as they are', () => {
    const own = new FreshdexError('CLOSED', 'closed')
    expect(fromNative(own)).toBe(own)
  })
})

describe('calls out of turn', () => {
  const EMPTY_BATCH = new Uint8Array(8)
  const open: { index: NativeIndex; folder: string }[] = []

  async function indexOnDisk(): Promise<NativeIndex> {
    const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-binding-'))
    const index = new (loadAddon().Index)({
      fieldCount: 1,
      analysis: 0,
      fieldAnalysis: Uint8Array.of(0),
      hashSeed: 1n,
      model: 0,
      k1: 1.2,
      b: 0.75,
      fieldBoosts: new Float64Array([1]),
      alpha: 1,
      beta: 0,
      maxDocumentBytes: 1000,
      wantsSketches: false,
      disk: {
        ...{ segmentFolder: folder, indexId: new Uint8Array(16), mapped: true },
        ...{ foldFloor: 1, phrasePages: 2, packsRecords: false, partitionBytes: 1000 },
      },
    })
    open.push({ index, folder })
    await index.load(new Float64Array(0), false)
    return index
  }

  afterEach(() => {
    for (const { index, folder } of open.splice(0)) {
      index.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('are refused while a flush waits, and change nothing', async () => {
    const index = await indexOnDisk()
    await index.prepare(EMPTY_BATCH)
    await index.publish()
    const { sequence } = await index.flush(1, false)
    const refused = { code: 'INTERNAL' }
    await expect(index.prepare(EMPTY_BATCH)).rejects.toMatchObject(refused)
    await expect(index.publish()).rejects.toMatchObject(refused)
    await expect(index.compact()).rejects.toMatchObject(refused)
    await expect(index.compactStep()).rejects.toMatchObject(refused)
    await expect(index.replay(new Uint8Array(0))).rejects.toMatchObject(refused)
    await expect(index.flush(100, false)).rejects.toMatchObject(refused)
    await expect(index.load(new Float64Array(0), false)).rejects.toMatchObject(refused)
    await index.adoptFlush()
    expect(index.stats().sequence).toBe(sequence)
    await index.prepare(EMPTY_BATCH)
    await index.publish()
    await index.compact()
    expect(index.stats().sequence).toBe(sequence + 1)
  })

  it('are refused while a batch is prepared, but for compacting in memory', async () => {
    const index = await indexOnDisk()
    await index.prepare(EMPTY_BATCH)
    const refused = { code: 'INTERNAL' }
    await expect(index.prepare(EMPTY_BATCH)).rejects.toMatchObject(refused)
    await expect(index.flush(1, false)).rejects.toMatchObject(refused)
    await expect(index.load(new Float64Array(0), false)).rejects.toMatchObject(refused)
    await index.compact()
    await index.publish()
    await expect(index.publish()).rejects.toMatchObject(refused)
    expect(index.stats().sequence).toBe(1)
  })
})
