/**
 * Every method at every moment: allowed, or refused with its code. Each cell is its own index, brought into the state,
 * called, and looked at afterwards.
 */
import type { Freshdex, Snapshot } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { fingerprint, kindOf, openSpecimen, PAGES, type Page } from './specimen.js'

interface Scene {
  readonly index: Freshdex<Page>
  readonly snapshot: Snapshot<Page>
  /** Something that must be over before the index is looked at. */
  readonly underWay: Promise<unknown>
}

const INDEX_METHODS: Readonly<Record<string, (scene: Scene) => unknown>> = {
  write: ({ index }) => index.write({ put: [{ id: 'new', body: 'new' }] }),
  search: ({ index }) => index.search('fox').total,
  get: ({ index }) => index.get('page 1')?.id,
  has: ({ index }) => index.has('page 1'),
  snapshot: ({ index }) => index.snapshot().close(),
  stats: ({ index }) => index.stats(),
  check: ({ index }) => index.check(),
  compact: ({ index }) => index.compact(),
  close: ({ index }) => index.close(),
}

const SNAPSHOT_METHODS: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'snapshot.search': ({ snapshot }) => snapshot.search('fox').total,
  'snapshot.get': ({ snapshot }) => snapshot.get('page 1')?.id,
  'snapshot.has': ({ snapshot }) => snapshot.has('page 1'),
  'snapshot.stats': ({ snapshot }) => snapshot.stats(),
  'snapshot.close': ({ snapshot }) => snapshot.close(),
}

const ASYNCHRONOUS = new Set(['write', 'check', 'compact', 'close'])

const MOMENTS: Readonly<Record<string, (index: Freshdex<Page>, snapshot: Snapshot<Page>) => Promise<unknown>>> = {
  'the index is open': async (_, snapshot) => snapshot.close(),
  'a write is under way': (index, snapshot) => {
    snapshot.close()
    return index.write({ put: [{ id: 'other', body: 'under way' }] })
  },
  'a snapshot is held': async () => {},
  'a check is under way': (index) => index.check(),
  'a compaction is under way': (index) => index.compact(),
  'close is under way': (index) => {
    void index.write({ put: [{ id: 'other', body: 'under way' }] })
    return index.close()
  },
  'the index is closed': async (index) => index.close(),
}

/** Moments that are over before the call. */
const SETTLED = new Set(['the index is open', 'a snapshot is held', 'the index is closed'])

function isClosed(moment: string): boolean {
  return moment === 'the index is closed' || moment === 'close is under way'
}

async function arrange(moment: string): Promise<Scene> {
  const index = await openSpecimen()
  const snapshot = index.snapshot()
  const underWay = MOMENTS[moment]?.(index, snapshot) ?? Promise.reject(new Error(moment))
  if (SETTLED.has(moment)) await underWay
  return { index, snapshot, underWay }
}

/** 'allowed' or the kind of the refusal; asynchronous methods must refuse by rejecting. */
async function outcomeOf(method: string, call: (scene: Scene) => unknown, scene: Scene): Promise<string> {
  let result: unknown
  try {
    result = call(scene)
  } catch (error) {
    return ASYNCHRONOUS.has(method) ? `threw ${kindOf(error)} instead of rejecting` : kindOf(error)
  }
  if (ASYNCHRONOUS.has(method) !== result instanceof Promise) return 'has the wrong colour'
  return Promise.resolve(result).then(() => 'allowed', kindOf)
}

describe.each(Object.keys(MOMENTS))('when %s', (moment) => {
  const methods = Object.entries(INDEX_METHODS)
  test.each(methods)('%s', async (method, call) => {
    const scene = await arrange(moment)
    const expected = isClosed(moment) && method !== 'close' ? 'CLOSED' : 'allowed'
    expect(await outcomeOf(method, call, scene)).toBe(expected)
    await scene.underWay
    if (!isClosed(moment) && method !== 'close') await expectIntact(scene.index, method === 'write')
    await scene.index.close()
  })

  test.each(Object.entries(SNAPSHOT_METHODS))('%s', async (method, call) => {
    const scene = await arrange(moment)
    const ended = isClosed(moment) || moment === 'the index is open' || moment === 'a write is under way'
    const expected = ended && method !== 'snapshot.close' ? 'CLOSED' : 'allowed'
    expect(await outcomeOf(method, call, scene)).toBe(expected)
    await scene.underWay
    await scene.index.close()
  })
})

async function expectIntact(index: Freshdex<Page>, written: boolean): Promise<void> {
  const { check, documents } = (await fingerprint(index)) as { check: unknown; documents: [unknown, boolean, Page][] }
  expect(check).toEqual({ ok: true, faults: [] })
  expect(documents.map(([, , document]) => document)).toEqual(PAGES)
  expect(index.has('new')).toBe(written)
}

describe('a snapshot', () => {
  test('does not see what is written after it', async () => {
    const index = await openSpecimen()
    const snapshot = index.snapshot()
    const before = snapshot.search('fox OR new', { limit: 100 })
    await index.write({
      put: [
        { id: 'new', body: 'new' },
        { id: 'page 1', body: 'changed' },
      ],
      remove: ['page 2'],
    })
    await index.compact()
    expect(snapshot.search('fox OR new', { limit: 100 })).toEqual(before)
    expect([snapshot.has('new'), snapshot.has('page 2')]).toEqual([false, true])
    expect(snapshot.get('page 1')).toEqual(PAGES[1])
    expect(snapshot.stats().documents).toBe(PAGES.length)
    await index.close()
  })

  test('has no methods that write', async () => {
    const index = await openSpecimen()
    const snapshot = index.snapshot() as unknown as Record<string, unknown>
    for (const method of ['write', 'compact', 'check', 'snapshot']) expect(snapshot[method]).toBeUndefined()
    await index.close()
  })

  test('taken while a write is under way is the state before it', async () => {
    const index = await openSpecimen()
    const writing = index.write({ put: [{ id: 'new', body: 'new' }] })
    const snapshot = index.snapshot()
    await writing
    expect([snapshot.has('new'), index.has('new')]).toEqual([false, true])
    await index.close()
  })
})
