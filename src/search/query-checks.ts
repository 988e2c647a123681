/** Checks one node of a typed query, without looking at its children. */

import { MAX_BOOST } from '../base/amounts.js'
import { amountOption, numberOption } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { MAX_QUERY_CLAUSES, tooManyClauses } from './query.js'

export interface CheckedLeaf {
  readonly kind: 'word' | 'phrase' | 'prefix' | 'fuzzy'
  readonly text: string
  readonly field: string | undefined
  readonly boost: number
  /** Undefined for a prefix without a number of them. */
  readonly edits: 0 | 1 | 2 | undefined
}

export interface CheckedGroup {
  readonly kind: 'and' | 'or' | 'not'
  readonly children: readonly unknown[]
  readonly boost: number
}

export interface CheckedAll {
  readonly kind: 'all'
  readonly boost: number
}

export type CheckedQuery = CheckedLeaf | CheckedAll | CheckedGroup

/** The properties that a node may have besides the one that gives its kind. */
const COMPANIONS = {
  word: ['field', 'boost'],
  phrase: ['field', 'boost'],
  prefix: ['field', 'boost', 'edits'],
  fuzzy: ['field', 'boost', 'edits'],
  all: ['boost'],
  and: ['boost'],
  or: ['boost'],
  not: [],
} as const satisfies Record<string, readonly string[]>

type Kind = keyof typeof COMPANIONS

const KINDS = Object.keys(COMPANIONS) as readonly Kind[]

type Properties = Readonly<Record<string, unknown>>

/** `path` returns where the node stands; it is called only for an error message. */
export function checkQuery(node: unknown, fields: ReadonlySet<string>, path: () => string): CheckedQuery {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw new TypeError(`${path()} must be text or a query object, received ${describe(node)}`)
  }
  // Copied, so that a getter cannot return different values.
  const properties: Properties = { ...node }
  const kind = kindOf(properties, path)
  const content = properties[kind]
  if (kind === 'not') return { kind, children: [content], boost: 1 }
  const boost = checkBoost(properties.boost, path)
  if (kind === 'all') {
    if (content !== true) throw new TypeError(`${path()}.all must be true, received ${describe(content)}`)
    return { kind, boost }
  }
  if (kind === 'and' || kind === 'or') {
    if (!Array.isArray(content)) {
      throw new TypeError(`${path()}.${kind} must be a list of queries, received ${describe(content)}`)
    }
    if (content.length > MAX_QUERY_CLAUSES) throw tooManyClauses()
    return { kind, children: content, boost }
  }
  if (typeof content !== 'string') {
    throw new TypeError(`${path()}.${kind} must be a string, received ${describe(content)}`)
  }
  const field = checkField(properties.field, fields, path)
  return { kind, text: content, field, boost, edits: checkEdits(kind, properties.edits, path) }
}

function kindOf(properties: Properties, path: () => string): Kind {
  const names = Object.keys(properties).filter((name) => properties[name] !== undefined)
  const kinds = names.filter(isKind)
  const kind = kinds[0]
  if (kind === undefined || kinds.length > 1) {
    const found = kind === undefined ? describe(properties) : kinds.join(' and ')
    throw new TypeError(`${path()} must have exactly one of ${KINDS.join(', ')}, received ${found}`)
  }
  const companions: readonly string[] = COMPANIONS[kind]
  const stranger = names.find((name) => name !== kind && !companions.includes(name))
  if (stranger !== undefined) {
    const received = describe(properties[stranger])
    const known = [kind, ...companions].join(', ')
    throw new TypeError(`${path()} has an unknown property "${stranger}" (received ${received}); known: ${known}`)
  }
  return kind
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(COMPANIONS, name)
}

function checkField(value: unknown, fields: ReadonlySet<string>, path: () => string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && fields.has(value)) return value
  const known = [...fields].join(', ')
  throw new TypeError(`${path()}.field must be a field of the index, received ${describe(value)}; fields: ${known}`)
}

function checkBoost(value: unknown, path: () => string): number {
  return value === undefined ? 1 : amountOption(`${path()}.boost`, value, 1, { max: MAX_BOOST })
}

function checkEdits(kind: Kind, value: unknown, path: () => string): CheckedLeaf['edits'] {
  if (value === undefined) return kind === 'prefix' ? undefined : 1
  const min = kind === 'prefix' ? 0 : 1
  return numberOption(`${path()}.edits`, value, 1, { min, max: 2, integer: true }) as 0 | 1 | 2
}
