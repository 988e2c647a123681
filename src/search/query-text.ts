/**
 * Parses query text into a tree. The syntax is in docs/search-model.md. What it leaves open is settled by one rule:
 * characters that do not form an operator where they stand are ordinary text, and an operator without an operand is
 * ignored. So nothing that people type is an error, except for its size.
 *
 * One pass, an explicit stack, no backtracking: time is linear in the text whatever it contains.
 */
import { MAX_BOOST } from '../base/amounts.js'
import type { ColumnSetting } from '../base/columns.js'
import { type ColumnClause, filterOfClauses, readColumnClause } from './column-clauses.js'
import type { FilterNode } from './filter-tree.js'
import { MAX_QUERY_CLAUSES, MAX_QUERY_DEPTH, type QueryNode, textBytes, tooDeep, tooManyClauses } from './query.js'
import { isSpace, readQuoted, readWord, splitSuffix, takeBoost, type Word } from './query-words.js'

export interface TextContext {
  /** The names that can stand before a colon. */
  readonly fields: ReadonlySet<string>
  /** The operator of words that stand side by side. */
  readonly operator: 'and' | 'or'
  /** The columns whose names can stand before a colon, unless a field has the name. Default none. */
  readonly columns?: readonly ColumnSetting[]
}

/** The tree, or undefined when the text asks for nothing. QUERY_TOO_COMPLEX beyond the limits. */
export function parseQueryText(text: string, context: TextContext): QueryNode | undefined {
  return parseFilteredText(text, context).query
}

/** Query text without the clauses of its columns, and the filter that these are. */
export interface FilteredText {
  readonly query: QueryNode | undefined
  /** Undefined where no column is named. */
  readonly filter: FilterNode | undefined
}

const ALL: QueryNode = { all: true }

/** Text that has nothing but clauses of columns, or nothing but a `*`, asks for all documents. */
export function parseFilteredText(text: string, context: TextContext): FilteredText {
  textBytes(text)
  const parser = new TextParser(text, context)
  const query = parser.parse()
  const { clauses } = parser
  const asksForAll = query === undefined && (clauses.length > 0 || text.trim() === '*')
  return {
    query: asksForAll ? ALL : query,
    filter: clauses.length === 0 ? undefined : filterOfClauses(clauses),
  }
}

/** One pair of parentheses, or the whole text. */
interface Group {
  /** Parts joined by or; each part is a list joined by and, which binds tighter. */
  readonly alternatives: QueryNode[][]
  /** The field of everything inside that names none. */
  readonly field: string | undefined
  /** An explicit operator since the last operand. */
  operator: 'and' | 'or' | undefined
  /** How many NOT and - stand before the next operand. */
  negations: number
}

class TextParser {
  readonly #text: string
  readonly #context: TextContext
  readonly #columns: ReadonlyMap<string, number>
  readonly #outer: Group[] = []
  #group: Group = newGroup(undefined)
  #at = 0
  #clauses = 0
  /** Set by `field:` directly before a quote or parenthesis. */
  #nextField: string | undefined

  constructor(text: string, context: TextContext) {
    this.#text = text
    this.#context = context
    this.#columns = new Map((context.columns ?? []).map(({ name }, number) => [name, number]))
  }

  /** The clauses of columns, wherever they stood. */
  readonly clauses: (ColumnClause & { readonly isNegated: boolean })[] = []

  parse(): QueryNode | undefined {
    while (this.#at < this.#text.length) this.#step()
    while (this.#outer.length > 0) this.#closeGroup(1)
    return joined(this.#group)
  }

  #step(): void {
    const character = this.#text.charAt(this.#at)
    if (isSpace(character)) {
      this.#at++
    } else if (character === '(') {
      this.#at++
      this.#openGroup()
    } else if (character === ')') {
      this.#at++
      if (this.#outer.length > 0) this.#closeGroup(this.#boost())
    } else if (character === '"') {
      this.#phrase()
    } else if (character === '-' && this.#negates()) {
      this.#at++
      this.#negate()
    } else {
      this.#word()
    }
  }

  /** A minus negates what directly follows. Two in a row are text: people search for `--force`. */
  #negates(): boolean {
    const next = this.#text.charAt(this.#at + 1)
    return next !== '' && next !== '-' && next !== ')' && !isSpace(next)
  }

  #negate(): void {
    if (++this.#group.negations > MAX_QUERY_DEPTH) throw tooDeep()
  }

  #openGroup(): void {
    if (this.#outer.length >= MAX_QUERY_DEPTH) throw tooDeep()
    this.#outer.push(this.#group)
    this.#group = newGroup(this.#takeField())
  }

  #closeGroup(boost: number): void {
    const inside = joined(this.#group)
    const outer = this.#outer.pop()
    if (outer === undefined) return
    this.#group = outer
    this.#add(inside === undefined ? undefined : boosted(inside, boost))
  }

  #phrase(): void {
    const { text, end } = readQuoted(this.#text, this.#at + 1)
    this.#at = end
    const boost = this.#boost()
    const field = this.#takeField()
    if (text.trim() === '') this.#add(undefined)
    else this.#addLeaf(boosted({ phrase: text, ...named(field) }, boost))
  }

  #word(): void {
    const word = readWord(this.#text, this.#at)
    this.#at = word.end
    if (!word.hasEscape && this.#operator(word.text)) return
    const bodyAt = word.colonAt + 1
    const name = bodyAt > 0 ? word.text.slice(0, word.colonAt) : undefined
    if (name !== undefined && this.#columnClause(name, word.text.slice(bodyAt))) return
    if (name === undefined || !this.#context.fields.has(name)) this.#plainWord(word, 0, this.#group.field)
    else if (bodyAt < word.text.length) this.#plainWord(word, bodyAt, name)
    else if (/["(]/.test(this.#text.charAt(this.#at))) this.#nextField = name
    else this.#plainWord(word, 0, this.#group.field)
  }

  /** Takes note of a clause of a column, and of nothing else: returns false for it. A field comes before a column. */
  #columnClause(name: string, body: string): boolean {
    const column = this.#context.fields.has(name) ? undefined : this.#columns.get(name)
    const setting = column === undefined ? undefined : this.#context.columns?.[column]
    if (column === undefined || setting === undefined) return false
    const isQuoted = body === '' && this.#text.charAt(this.#at) === '"'
    const quoted = isQuoted ? readQuoted(this.#text, this.#at + 1) : undefined
    const value = quoted?.text ?? body
    const clause = value === '' ? undefined : readColumnClause(column, setting, value)
    if (clause === undefined) return false
    if (quoted !== undefined) this.#at = quoted.end
    if (++this.#clauses > MAX_QUERY_CLAUSES) throw tooManyClauses()
    const negations = this.#outer.reduce((sum, group) => sum + group.negations, this.#group.negations)
    this.clauses.push({ ...clause, isNegated: negations % 2 === 1 })
    // The operators beside a clause join nothing.
    this.#group.negations = 0
    return true
  }

  /** Takes note of an operator; returns false when the word is not one. */
  #operator(word: string): boolean {
    if (word === 'AND') this.#join('and')
    else if (word === 'OR') this.#join('or')
    else if (word === 'NOT') this.#negate()
    else return false
    return true
  }

  /** The word from `start` on, with its operators. */
  #plainWord(word: Word, start: number, field: string | undefined): void {
    const { body, operator, edits, boost } = splitSuffix(word, start)
    const where = named(field)
    // Nothing but operators, such as a lone minus.
    if (body === '' || (!word.hasEscape && /^-+$/.test(body))) this.#add(undefined)
    else if (operator === 'prefix') this.#addLeaf(boosted({ prefix: body, ...where }, boost))
    else if (operator === 'fuzzy') this.#addLeaf(boosted({ fuzzy: body, edits, ...where }, boost))
    else this.#addLeaf(boosted({ word: body, ...where }, boost))
  }

  #join(operator: 'and' | 'or'): void {
    // Of two operators in a row the second is ignored.
    if (this.#group.negations === 0) this.#group.operator ??= operator
  }

  #addLeaf(leaf: QueryNode): void {
    if (++this.#clauses > MAX_QUERY_CLAUSES) throw tooManyClauses()
    this.#add(leaf)
  }

  /** Adds an operand; undefined for one that turned out empty, which is dropped with its negations. */
  #add(operand: QueryNode | undefined): void {
    const group = this.#group
    let node = operand
    for (let count = group.negations; node !== undefined && count > 0; count--) node = { not: node }
    group.negations = 0
    if (node === undefined) return
    const operator = group.operator ?? this.#context.operator
    const last = group.alternatives.at(-1)
    if (last === undefined || operator === 'or') group.alternatives.push([node])
    else last.push(node)
    group.operator = undefined
  }

  #boost(): number {
    const { boost, end } = takeBoost(this.#text, this.#at)
    this.#at = end
    return boost
  }

  #takeField(): string | undefined {
    const field = this.#nextField ?? this.#group.field
    this.#nextField = undefined
    return field
  }
}

function newGroup(field: string | undefined): Group {
  return { alternatives: [], field, operator: undefined, negations: 0 }
}

function joined({ alternatives }: Group): QueryNode | undefined {
  const parts = alternatives.map((and) => (and.length === 1 && and[0] !== undefined ? and[0] : { and }))
  return parts.length > 1 ? { or: parts } : parts[0]
}

function named(field: string | undefined): { readonly field?: string } {
  return field === undefined ? {} : { field }
}

function boosted(node: QueryNode, boost: number): QueryNode {
  // A negation has no score to multiply.
  if (boost === 1 || 'not' in node) return node
  return { ...node, boost: Math.min(MAX_BOOST, (node.boost ?? 1) * boost) }
}
