/**
 * Calls with any arguments at all, in any order: each gives a result or one of our errors, none hangs, and the index is
 * sound behind them. FRESHDEX_CALLS says how many.
 */
import { Freshdex, FreshdexError } from 'freshdex'
import { expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: string | number
  body?: unknown
  links?: unknown
}

const CALLS = Number(process.env.FRESHDEX_CALLS ?? rounds(2_000, 100_000))
/** A new index after so many calls: what a sequence of calls has piled up is checked each time. */
const CALLS_PER_INDEX = 500
const PATIENCE_MS = 60_000

/** What an argument of ours throws, so that it is told from faults of the index. */
class OwnFault extends Error {}

const RAW =
  /^(?:Cannot |undefined is|null is|Reduce of|Maximum call|Invalid array length)|is not (?:a function|iterable)/

const fault = () => {
  throw new OwnFault('own')
}

const NONSENSE: readonly ((random: SeededRandom) => unknown)[] = [
  () => undefined,
  () => null,
  (random) =>
    random.pick([0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 53, 1e12, 1e40, 1e308, Number.NaN, Number.POSITIVE_INFINITY]),
  (random) => random.pick(['', ' ', 'fox', 'a\ud800', '__proto__', 'constructor', '\0', '../../x', 'x'.repeat(5000)]),
  (random) => random.pick([true, false, 5n, Symbol('s'), () => 1, new Date(), new Date(Number.NaN), /a/, new Map()]),
  (random) => random.pick([[], {}, [[]], [null], [undefined], Object.create(null), new Uint8Array(3), new Set(['a'])]),
  () => ({
    get word() {
      return fault()
    },
  }),
  () => new Proxy({}, { get: fault, ownKeys: fault }),
  () => ({ [Symbol.iterator]: fault }),
  function* () {
    yield 'fox'
    fault()
  },
  () => 'fox '.repeat(20_000),
  () => `${'('.repeat(10_000)}fox`,
  () => Array(2000).fill('t*').join(' OR '),
]

const QUERIES: readonly unknown[] = [
  ...[
    'fox',
    'fox dog',
    '"brown fox"',
    'fo* -dog',
    'fx~2 OR dog^3',
    'body:fox',
    'NOT fox',
    '(((',
    '"',
    '^^',
    '~~',
    'a:b:c',
  ],
  ...[{ word: 'fox' }, { and: ['fox', { not: 'dog' }] }, { or: [] }, { phrase: '' }, { prefix: 'f', boost: 1e6 }],
  ...[
    { fuzzy: 'fox', edits: 2 },
    { not: { not: { word: 'fox' } } },
    { word: 5 },
    { and: {} },
    { word: 'x', field: 'no' },
  ],
]

function query(random: SeededRandom): unknown {
  return random.chance(0.7) ? random.pick(QUERIES) : random.pick(NONSENSE)(random)
}

function key(random: SeededRandom): unknown {
  return random.chance(0.7)
    ? random.pick([0, 1, 2, 'a', 'b', '/c', 'https://example.org/d'])
    : random.pick(NONSENSE)(random)
}

/** Options with right and wrong names and values. */
function options(random: SeededRandom, names: readonly string[]): unknown {
  if (random.chance(0.15)) return random.pick(NONSENSE)(random)
  const given: Record<string, unknown> = {}
  for (const name of random.shuffle(names).slice(0, random.int(4)))
    given[name] = random.chance(0.6)
      ? random.pick([1, 5, 10, true, 'score', 'fox', ['body'], 1000])
      : random.pick(NONSENSE)(random)
  if (random.chance(0.05)) given.unknown = 1
  return given
}

function document(random: SeededRandom): unknown {
  if (random.chance(0.1)) return random.pick(NONSENSE)(random)
  const body = random.chance(0.7)
    ? random.pick(['fox', 'dog fox', ['fox', 'dog'], 'brown fox\njumps'])
    : random.pick(NONSENSE)(random)
  return { id: key(random), body, links: random.chance(0.7) ? random.int(9) : random.pick(NONSENSE)(random) }
}

const list = (random: SeededRandom, item: (random: SeededRandom) => unknown) =>
  random.chance(0.1) ? random.pick(NONSENSE)(random) : Array.from({ length: random.int(4) }, () => item(random))

const SEARCH = [
  'limit',
  'offset',
  'fields',
  'operator',
  'docs',
  'explain',
  'snippet',
  'deadlineMs',
  'maxScored',
  'countUpTo',
]
const JUDGED = ['refresh', 'sort', 'at', 'synonyms', 'pinned', 'learn', 'session', 'signal']
const OBSERVED = (random: SeededRandom) => [
  key(random),
  random.chance(0.8)
    ? { outcome: random.pick(['same', 'changed', 'gone', 'error', 5]), at: random.pick([1, undefined, 1e40]) }
    : 5,
]
const SIGNAL = (random: SeededRandom) => [
  key(random),
  random.chance(0.8)
    ? { kind: random.pick(['sitemap', 'feed', 'etag', 'push', 'x']), at: random.pick([1, undefined, -1]) }
    : 5,
]

type Any = Record<string, (...args: unknown[]) => unknown>
const any = (object: object) => object as unknown as Any

const ACTS: Readonly<Record<string, (index: Freshdex<Page>, random: SeededRandom) => unknown>> = {
  write: (index, random) =>
    any(index).write!(
      random.chance(0.9) ? { put: list(random, document), remove: list(random, key) } : random.pick(NONSENSE)(random),
      options(random, ['at']),
    ),
  reweigh: (index, random) => any(index).reweigh!(list(random, (r) => [key(r), r.pick([1, 2, 1e40, -1])])),
  patch: (index, random) =>
    any(index).patch!(list(random, (r) => [key(r), r.pick([{ note: 1 }, { id: 5 }, 5, { body: 'x' }])])),
  load: (index, random) => any(index).load!(list(random, document), options(random, ['batch', 'signal', 'onProgress'])),
  search: (index, random) => any(index).search!(query(random), options(random, [...SEARCH, ...JUDGED])),
  searchAsync: (index, random) => any(index).searchAsync!(query(random), options(random, [...SEARCH, ...JUDGED])),
  similar: (index, random) => any(index).similar!(key(random), options(random, ['limit', 'fields', 'docs'])),
  get: (index, random) => any(index).get!(key(random)),
  has: (index, random) => any(index).has!(key(random)),
  stats: (index) => index.stats(),
  snapshot: (index, random) => {
    const snapshot = any(index.snapshot())
    try {
      return snapshot.search!(query(random))
    } finally {
      snapshot.close!()
    }
  },
  check: (index, random) => any(index).check!(options(random, ['level', 'signal'])),
  compact: (index, random) => any(index).compact!(options(random, ['signal'])),
  plan: (index, random) =>
    any(index).plan!(
      options(random, ['budget', 'target', 'prices', 'perHost', 'maxStalenessMs', 'cycleMs', 'newPages', 'at']),
    ),
  next: (index, random) =>
    any(index.refresh).next!(
      options(random, ['budget', 'where', 'perHost', 'policy', 'at', 'minIntervalMs', 'waitMs']),
    ),
  observe: (index, random) => any(index.refresh).observe!(...OBSERVED(random)),
  observeAll: (index, random) => any(index.refresh).observeAll!(list(random, OBSERVED)),
  signal: (index, random) => any(index.refresh).signal!(...SIGNAL(random)),
  signalAll: (index, random) => any(index.refresh).signalAll!(list(random, SIGNAL)),
  importSignals: (index, random) =>
    any(index.refresh).importSignals!(
      random.chance(0.7)
        ? {
            [random.pick(['sitemap', 'feed', 'log', 'x'])]: random.pick([
              '<a',
              '<urlset><url><loc>/a</loc></url></urlset>',
              '{}',
              5,
            ]),
          }
        : random.pick(NONSENSE)(random),
      options(random, ['at', 'base']),
    ),
  explain: (index, random) => any(index.refresh).explain!(key(random), options(random, ['policy', 'at'])),
  priority: (index, random) => any(index.refresh).priority!(key(random), options(random, ['policy', 'at'])),
  curve: (index, random) => any(index.refresh).curve!(query(random)),
  review: (index, random) => any(index.refresh).review!(options(random, ['days', 'from', 'until'])),
  fit: (index) => index.refresh.fit(),
  record: (index, random) => any(index.workload).record!(query(random), options(random, ['count', 'at'])),
  loadQueries: (index, random) => any(index.workload).load!(list(random, (r) => [query(r), r.pick([1, 0, 1e40, 'x'])])),
  click: (index, random) =>
    any(index.workload).click!(query(random), key(random), random.pick([1, 2, 0, -1, 1e40, 'x'])),
  queries: (index, random) => any(index.workload).queries!(options(random, ['limit', 'at'])),
  unanswered: (index, random) => any(index.workload).unanswered!(options(random, ['limit'])),
  forget: (index, random) => any(index.workload).forget!(query(random)),
  clear: (index, random) => (random.chance(0.1) ? index.workload.clear() : undefined),
  'frontier.add': (index, random) =>
    any(index.frontier).add!(
      list(random, (r) => ({
        url: key(r),
        anchors: r.pick([['fox'], 'fox', 5, undefined]),
        inlinks: r.pick([1, 0, -1, 1e40]),
      })),
      options(random, ['at']),
    ),
  'frontier.remove': (index, random) => any(index.frontier).remove!(list(random, key)),
  'frontier.next': (index, random) =>
    any(index.frontier).next!(options(random, ['budget', 'at', 'rho', 'visibleRanks', 'visibility', 'queryWeight'])),
  'frontier.explain': (index, random) => any(index.frontier).explain!(key(random), options(random, ['at', 'rho'])),
  'clusters.build': (index, random) => any(index.clusters).build!(options(random, ['clusters', 'seed', 'restarts'])),
}

/** 'ok', or the kind of the refusal. Throws for what is neither. */
async function outcomeOf(act: () => unknown): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), PATIENCE_MS)
  })
  try {
    await Promise.race([(async () => act())(), late])
    return 'ok'
  } catch (error) {
    if (error instanceof OwnFault) return 'own'
    // An AbortSignal or a callback of ours may be any value.
    if (error instanceof FreshdexError && error.code !== 'INTERNAL') return error.code
    const isOurs = error instanceof TypeError || error instanceof RangeError
    if (isOurs && !RAW.test(error.message)) return error.constructor.name
    throw error
  } finally {
    clearTimeout(timer)
  }
}

test('calls with any arguments give a result or an error of ours', async () => {
  await withSeed('fuzzed calls', async (seed) => {
    const random = new SeededRandom(seed)
    const outcomes = new Map<string, number>()
    const wrong = new Map<string, string>()
    const names = Object.keys(ACTS)
    for (let done = 0; done < CALLS; done += CALLS_PER_INDEX) {
      const index = await Freshdex.open<Page>(':memory:', {
        key: 'id',
        fields: { body: {} },
        scoring: { weight: 'links' } as never,
        workload: { privacy: random.pick(['text', 'hash'] as const) },
      })
      await index.write({ put: [0, 1, 2, 'a', 'b'].map((id) => ({ id, body: `brown fox ${id} dog`, links: 1 })) })
      for (let nth = 0; nth < CALLS_PER_INDEX; nth++) {
        const name = random.pick(names)
        try {
          const outcome = await outcomeOf(() => ACTS[name]!(index, random))
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        } catch (error) {
          const { stack = '' } = error as Error
          wrong.set(`${name}: ${(error as Error).message}`.slice(0, 200), stack.slice(0, 900))
        }
      }
      expect((await index.check()).faults).toEqual([])
      expect(index.search('NOT nowhere', { limit: 100 }).total).toBe(index.stats().documents)
      await index.close()
    }
    if (process.env.FRESHDEX_CALLS !== undefined)
      console.info(`seed ${seed}:`, Object.fromEntries(outcomes), [...wrong.values()])
    expect([...wrong.keys()]).toEqual([])
  })
})
