/** What there is to know of a policy before one chooses it, as data: the command line, the lab and docs/policies.md show it. */
import { type ColumnName, columnBytes } from './ledger-columns.js'
import { SECTION_BYTES } from './sections.js'

export interface PolicyCard<Name extends string = string> {
  readonly name: Name
  /** What it is for, in one line. */
  readonly purpose: string
  /** Where it comes from; '-' for nowhere. */
  readonly paper: string
  /** The priority of a page. */
  readonly formula: string
  /** What it reads of a page's row of the ledger, unless told otherwise by options. */
  readonly columns: readonly ColumnName[]
  /** Whether it goes by the section of the page, too. */
  readonly usesSections?: boolean
  /** Of all that. */
  readonly bytesPerPage: number
}

/** `columns`: each once. */
export function policyCard<Name extends string>(card: Omit<PolicyCard<Name>, 'bytesPerPage'>): PolicyCard<Name> {
  return { ...card, bytesPerPage: columnBytes(card.columns) + (card.usesSections ? SECTION_BYTES : 0) }
}
