/** Facets for people: a table for each column. */
import type { FacetCount, FacetCounts } from '../../index.js'
import { oneLine, table, thousands } from './wording.js'

export function facetLines(facets: FacetCounts): readonly string[] {
  return Object.entries(facets).flatMap(([column, counts]) => [
    `${oneLine(column)}:`,
    ...(counts.length === 0 ? ['  none'] : table(counts.map(cells)).split('\n')),
  ])
}

function cells({ value, count }: FacetCount): string[] {
  return [`  ${thousands(count)}`, oneLine(textOf(value))]
}

const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

function textOf(value: FacetCount['value']): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '')
  if (typeof value !== 'object') return String(value)
  const said = Object.entries(value).filter(([, end]) => end !== undefined)
  return said.map(([end, limit]) => `${SIGNS[end]} ${String(limit)}`).join(', ')
}
