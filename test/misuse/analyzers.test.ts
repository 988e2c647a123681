/** Analyzers are code of the user: they may fail, lie, or call the index that calls them. */
import type { Analyzer, Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { expectCallRefused, expectWriteRefused, kindOf, openSpecimen, type Page } from './specimen.js'

interface Rig {
  readonly index: Freshdex<Page>
  /** Runs instead of the analysis of texts that contain "trip". */
  sabotage: (text: string) => unknown
}

async function openRig(): Promise<Rig> {
  const rig: { index?: Freshdex<Page>; sabotage: Rig['sabotage'] } = { sabotage: () => [] }
  const analyzer: Analyzer = {
    name: 'rig',
    version: '1',
    analyze: (text) =>
      (text.includes('trip') ? rig.sabotage(text) : (text.toLowerCase().match(/\w+/g) ?? [])) as string[],
  }
  rig.index = await openSpecimen({ analyzer })
  return rig as Rig
}

const TRIP = {
  put: [
    { id: 'new', body: 'new words' },
    { id: 'bad', body: 'trip the wire' },
  ],
}

describe('an analyzer that fails', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no idea')
      },
    ],
    [
      'throws something that is no error',
      () => {
        throw 'no idea'
      },
    ],
    ['returns nothing', () => undefined],
    ['returns null', () => null],
    ['returns a string', () => 'trip'],
    ['returns a set', () => new Set(['trip'])],
    ['returns an object like a list', () => ({ length: 1, 0: 'trip' })],
    ['returns numbers', () => ['trip', 5]],
    ['returns null among strings', () => ['trip', null]],
    ['returns a list with a hole', () => Array(2)],
    ['returns a promise', () => Promise.resolve(['trip'])],
    [
      'returns a list whose getter throws',
      () =>
        Object.defineProperty(['a'], 0, {
          get: () => {
            throw new Error('x')
          },
        }),
    ],
  ])('%s', async (_, sabotage) => {
    const rig = await openRig()
    rig.sabotage = sabotage
    await expectWriteRefused(rig.index, TRIP, { kind: 'ANALYZER_FAILED', more: ['new', 'bad'] })
    await expectCallRefused(rig.index, () => rig.index.search('trip'), { kind: 'ANALYZER_FAILED' })
    await expectCallRefused(rig.index, () => rig.index.search({ phrase: 'fox trip' }), { kind: 'ANALYZER_FAILED' })
    rig.sabotage = () => ['mended']
    await rig.index.write(TRIP)
    expect(rig.index.search('mended').hits.map(({ key }) => key)).toEqual(['bad'])
    await rig.index.close()
  })

  test('the error carries the cause', async () => {
    const rig = await openRig()
    const cause = new Error('no idea')
    rig.sabotage = () => {
      throw cause
    }
    await expect(rig.index.write(TRIP)).rejects.toMatchObject({ code: 'ANALYZER_FAILED', cause })
    await rig.index.close()
  })

  test('normalize that throws or returns no string', async () => {
    const words = (text: string) => text.toLowerCase().match(/\w+/g) ?? []
    for (const normalize of [
      () => 5,
      () => undefined,
      () => {
        throw new Error('no idea')
      },
    ]) {
      const analyzer = { name: 'rig', version: '1', analyze: words, normalize: normalize as unknown as () => string }
      const index = await openSpecimen({ analyzer })
      await expectCallRefused(openedWithoutPrefixes(index), () => index.search({ prefix: 'fo' }), {
        kind: 'ANALYZER_FAILED',
      })
      await index.close()
    }
  })
})

/** The fingerprint asks prefix and fuzzy queries, which can not work here: only the rest is compared. */
function openedWithoutPrefixes(index: Freshdex<Page>): Freshdex<Page> {
  return new Proxy(index, {
    get(target, name) {
      const member = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'search') return member.bind(target)
      return (query: unknown, options: object) =>
        /[*~]|prefix/.test(JSON.stringify(query)) ? null : member.call(target, query, options)
    },
  })
}

describe('tokens of the user', () => {
  test.each<[string, unknown[], number, number]>([
    ['none', [], 0, 0],
    ['empty strings are dropped', ['', 'kept', ''], 1, 0],
    ['long ones are cut', ['x'.repeat(300), 'kept'], 2, 1],
    ['lone surrogates become U+FFFD', ['a\ud800b', 'kept'], 2, 0],
    ['blanks and NUL are characters like others', ['two words\0', 'kept'], 2, 0],
  ])('%s', async (_, tokens, total, cut) => {
    const rig = await openRig()
    rig.sabotage = () => tokens
    const report = await rig.index.write({ put: [{ id: 'bad', body: 'trip' }] })
    expect(report.tokens.total).toBe(total)
    expect(report.truncatedTokens).toBe(cut)
    expect(rig.index.search({ word: 'kept' }).total).toBe(total > 0 ? 1 : 0)
    if (total > 0) expect(rig.index.search({ word: 'trip' }).hits[0]?.key).toBe('bad')
    expect((await rig.index.check()).ok).toBe(true)
    await rig.index.close()
  })
})

describe('an analyzer that calls the index', () => {
  const CALLS: readonly (readonly [string, (index: Freshdex<Page>) => unknown])[] = [
    ['search', (index) => index.search('fox')],
    ['get', (index) => index.get('page 1')],
    ['has', (index) => index.has('page 1')],
    ['stats', (index) => index.stats()],
    ['snapshot', (index) => index.snapshot()],
    ['write', (index) => index.write({ remove: ['page 1'] })],
    ['check', (index) => index.check()],
    ['compact', (index) => index.compact()],
    ['close', (index) => index.close()],
  ]

  test.each(CALLS)('%s is refused while a document is analysed', async (_, call) => {
    const rig = await openRig()
    const outcomes: Promise<string>[] = []
    rig.sabotage = () => {
      outcomes.push(outcomeOf(() => call(rig.index)))
      return ['tripped']
    }
    await rig.index.write(TRIP)
    expect(await Promise.all(outcomes)).toEqual(['REENTRANT'])
    expect(rig.index.search('tripped').hits.map(({ key }) => key)).toEqual(['bad'])
    await rig.index.close()
  })

  test.each(CALLS)('%s is refused while a query is analysed', async (_, call) => {
    const rig = await openRig()
    const outcomes: Promise<string>[] = []
    rig.sabotage = () => {
      outcomes.push(outcomeOf(() => call(rig.index)))
      return ['fox']
    }
    expect(rig.index.search({ word: 'trip' }).total).toBe(24)
    expect(await Promise.all(outcomes)).toEqual(['REENTRANT'])
    await rig.index.close()
  })

  test('and lets the refusal through fails the write with it', async () => {
    const rig = await openRig()
    rig.sabotage = () => rig.index.search('fox').hits.map(String)
    await expectWriteRefused(rig.index, TRIP, { kind: 'REENTRANT', more: ['new', 'bad'] })
    await rig.index.close()
  })

  test('another index may be called', async () => {
    const rig = await openRig()
    const other = await openSpecimen()
    rig.sabotage = () => other.search('fox').hits.map(({ key }) => `key${key}`)
    await rig.index.write(TRIP)
    expect(rig.index.search({ word: 'trip' }).total).toBe(1)
    await Promise.all([rig.index.close(), other.close()])
  })
})

describe('an analyzer that calls the index whenever it is called', () => {
  /** Calls that may have words analysed, directly or because of what they have learnt. */
  const OCCASIONS: Readonly<Record<string, (index: Freshdex<Page>) => unknown>> = {
    write: (index) => index.write({ put: [{ id: 'kept', body: 'fox trip kept' }] }),
    patch: (index) => index.patch([['page 1', { note: 1 }]]),
    search: (index) => index.search('fox trip'),
    'typed search': (index) => index.search({ or: [{ word: 'trip' }, { phrase: 'fox trip' }, { prefix: 'tr' }] }),
    'search with snippets': (index) => index.search('fox', { snippet: true }),
    searchAsync: (index) => index.searchAsync('fox trip'),
    similar: (index) => index.similar('page 1'),
    record: (index) => index.workload.record('trip fox'),
    load: (index) => index.workload.load(['trip fox', 'fox']),
    queries: (index) => index.workload.queries(),
    unanswered: (index) => index.workload.unanswered(),
    forget: (index) => index.workload.forget('trip'),
    flush: (index) => index.workload.flush(),
    stats: (index) => index.stats(),
    next: (index) => index.refresh.next({ budget: 3, where: 'fox trip' }),
    explain: (index) => index.refresh.explain('page 1'),
    curve: (index) => index.refresh.curve('trip fox'),
    fit: (index) => index.refresh.fit(),
    plan: (index) => index.plan({ budget: 3 }),
    'frontier.add': (index) => index.frontier.add([{ url: '/new', anchors: ['trip fox'] }]),
    'frontier.next': (index) => index.frontier.next({ budget: 3 }),
  }

  test.each(Object.entries(OCCASIONS))('%s: all are refused, and nothing is lost', async (_, occasion) => {
    for (const privacy of ['text', 'hash'] as const) {
      const outcomes: Promise<string>[] = []
      let isArmed = false
      const rig: { index?: Freshdex<Page> } = {}
      const nested = (index: Freshdex<Page>) => {
        // One call at a time.
        isArmed = false
        outcomes.push(outcomeOf(() => index.write({ put: [{ id: `nested ${outcomes.length}`, body: 'nested' }] })))
        outcomes.push(outcomeOf(() => index.search('fox')))
        outcomes.push(outcomeOf(() => index.workload.record('fox')))
        outcomes.push(outcomeOf(() => index.refresh.observe('page 1', { outcome: 'same' })))
        isArmed = true
      }
      const words = (text: string) => {
        if (isArmed && rig.index) nested(rig.index)
        return text.toLowerCase().match(/\w+/g) ?? []
      }
      const analyzer: Analyzer = {
        name: 'rig',
        version: '1',
        analyze: words,
        normalize: (word) => words(word)[0] ?? '',
      }
      const index = await openSpecimen({ analyzer, workload: { privacy } })
      rig.index = index
      index.search('trip before')
      index.search('fox')
      isArmed = true
      const writing = index.write({ put: [{ id: 'first', body: 'fox trip first' }] })
      const during = Promise.resolve(occasion(index)).catch((error) => error)
      await writing
      await during
      await occasion(index)
      await index.write({ put: [{ id: 'last', body: 'last' }] })
      isArmed = false
      const seen = new Set(await Promise.all(outcomes))
      expect([...seen].filter((outcome) => outcome !== 'REENTRANT')).toEqual([])
      expect(['first', 'last'].map((key) => index.get(key)?.id)).toEqual(['first', 'last'])
      expect(index.search('nested').total).toBe(0)
      expect((await index.check()).ok).toBe(true)
      await index.close()
    }
  })

  test('getters and iterators of other calls are refused, too', async () => {
    const index = await openSpecimen()
    const outcomes: Promise<string>[] = []
    const nested = () => outcomes.push(outcomeOf(() => index.write({ put: [{ id: 'nested', body: 'nested' }] })))
    function* calling<T>(item: T): Generator<T> {
      nested()
      yield item
      nested()
    }
    const query = {
      get word() {
        nested()
        return 'fox'
      },
    }
    index.search(query)
    index.workload.record(query)
    await index.workload.forget(query)
    await index.refresh.observeAll(calling(['page 1', { outcome: 'same' }] as const))
    await index.refresh.signalAll(calling(['page 1', { kind: 'feed' }] as const))
    await index.frontier.add(calling({ url: '/new' }))
    await index.frontier.remove(calling('/new'))
    await index.patch(calling(['page 1', { note: 1 }] as const))
    expect([...new Set(await Promise.all(outcomes))]).toEqual(['REENTRANT'])
    expect(outcomes.length).toBeGreaterThan(12)
    expect(index.has('nested')).toBe(false)
    await index.close()
  })
})

async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'allowed'
  } catch (error) {
    return kindOf(error)
  }
}
