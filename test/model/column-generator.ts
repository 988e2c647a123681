/** Random values of columns, and what can be asked of them. */
import type { SeededRandom } from '../support/seed.js'
import type { NaiveBoost, NaiveColumns, NaiveFacet, NaiveFilter, NaiveKind, NaiveSortBy } from './naive-columns.js'
import type { NaiveDocument } from './naive-index.js'

/** `until` says until when a document is found; the last two come when the index is there. */
export const COLUMNS: NaiveColumns = {
  section: 'keyword',
  tags: 'keyword',
  words: 'number',
  marks: 'number',
  published: 'date',
  until: 'date',
  draft: 'boolean',
}
export const LATER_COLUMNS: NaiveColumns = { body: 'keyword', shelf: 'keyword', level: 'number' }
const ALL_COLUMNS: NaiveColumns = { ...COLUMNS, ...LATER_COLUMNS }

/** Days around which everything happens, and the moments of searches. */
export const FIRST_DAY = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000
const DAYS = 400

const KEYWORDS = ['docs', 'blog', 'Docs', 'straße', '', 'ﬀ', '🌊', 'a b', 'über', 'x'.repeat(300), 'tutorial', 'api']

export function generateValues(random: SeededRandom): NaiveDocument {
  const document: NaiveDocument = {}
  for (const column of Object.keys(ALL_COLUMNS)) {
    if (column === 'body') continue
    const value = generateProperty(random, column)
    if (value !== undefined) document[column] = value
  }
  return document
}

/** One value, several, or none; `until` is mostly not said. */
export function generateProperty(random: SeededRandom, column: string): unknown {
  const way = random.next()
  const none = column === 'until' ? 0.6 : 0.15
  if (way < none) return random.pick([undefined, null, []])
  const value = () => generateValue(random, ALL_COLUMNS[column] as NaiveKind)
  if (column === 'section' || column === 'words' || way < none + 0.4 * (1 - none)) return value()
  return Array.from({ length: random.between(1, 4) }, () => (random.chance(0.03) ? null : value()))
}

function generateValue(random: SeededRandom, kind: NaiveKind): unknown {
  if (kind === 'keyword') return random.chance(0.9) ? random.pick(KEYWORDS) : `word ${random.int(500)}`
  if (kind === 'boolean') return random.chance(0.5)
  if (kind === 'number') {
    const whole = random.between(-3, 12)
    return random.chance(0.8) ? (random.chance(0.05) ? -0 : whole) : whole + random.next()
  }
  const timeMs = FIRST_DAY + random.int(DAYS) * DAY_MS + (random.chance(0.3) ? random.int(DAY_MS) : 0)
  const way = random.next()
  if (way < 0.4) return new Date(timeMs)
  return way < 0.7 ? timeMs : new Date(timeMs).toISOString().slice(0, 10)
}

export function generateMoment(random: SeededRandom): number {
  return FIRST_DAY + random.int(DAYS) * DAY_MS
}

export function generateFilter(random: SeededRandom, columns: NaiveColumns, depth = 0): NaiveFilter {
  const way = random.next()
  if (depth < 3 && way < 0.25) {
    const filters = Array.from({ length: random.int(4) }, () => generateFilter(random, columns, depth + 1))
    return random.chance(0.5) ? { and: filters } : { or: filters }
  }
  if (depth < 3 && way < 0.4) return { not: generateFilter(random, columns, depth + 1) }
  const names = random.shuffle(Object.keys(columns)).slice(0, random.pick([1, 1, 1, 2, 3]))
  return Object.fromEntries(names.map((name) => [name, generateColumnFilter(random, name)]))
}

function generateColumnFilter(random: SeededRandom, column: string): unknown {
  const kind = ALL_COLUMNS[column] as NaiveKind
  const value = () => generateValue(random, kind)
  const list = () => Array.from({ length: random.int(4) }, value)
  const way = random.next()
  if (way < 0.3) return value()
  if (way < 0.5) return list()
  if (way < 0.6) return { exists: random.chance(0.5) }
  if (way < 0.7) return { any: list() }
  if (way < 0.8) return { all: list() }
  if (kind === 'keyword' || kind === 'boolean') return { any: list(), all: list().slice(0, 1) }
  return generateRange(random, kind)
}

function generateRange(random: SeededRandom, kind: NaiveKind): NaiveFilter {
  const lower = random.pick([undefined, 'gt', 'gte'] as const)
  const upper =
    lower === undefined ? random.pick(['lt', 'lte'] as const) : random.pick([undefined, 'lt', 'lte'] as const)
  return {
    ...(lower && { [lower]: generateValue(random, kind) }),
    ...(upper && { [upper]: generateValue(random, kind) }),
  }
}

export function generateSort(random: SeededRandom, columns: NaiveColumns): readonly NaiveSortBy[] {
  const names = random.shuffle(['score', ...Object.keys(columns)]).slice(0, random.between(1, 3))
  return names.map((name) => (name === 'score' ? 'score' : { [name]: random.pick(['asc', 'desc'] as const) }))
}

export function generateFacets(random: SeededRandom, columns: NaiveColumns): readonly NaiveFacet[] {
  const names = random.shuffle(Object.keys(columns)).slice(0, random.between(1, 3))
  return names.map((column) => {
    const kind = columns[column] as NaiveKind
    const way = random.next()
    if (way < 0.4) return column
    if (kind === 'date' && way < 0.7)
      return { column, interval: random.pick(['year', 'quarter', 'month', 'week', 'day', 'hour']) }
    if (kind === 'number' || kind === 'date')
      return { column, ranges: Array.from({ length: random.between(1, 3) }, () => generateRange(random, kind)) }
    return { column, limit: random.between(1, 3) }
  })
}

export function generateBoosts(random: SeededRandom): readonly NaiveBoost[] {
  return Array.from({ length: random.between(1, 2) }, () => {
    if (random.chance(0.4)) return { log: random.pick(['words', 'marks']), factor: random.pick([0, 0.5, 1, 3]) }
    const isDate = random.chance(0.5)
    return {
      decay: random.pick(isDate ? ['published', 'until'] : ['words', 'marks']),
      halfLife: isDate ? random.between(1, 100) * DAY_MS : random.between(1, 9),
      origin: generateValue(random, isDate ? 'date' : 'number'),
      floor: random.pick([0, 0.25, 1]),
    }
  })
}
