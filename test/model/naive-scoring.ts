/** The formulas of docs/search-model.md, written down once more from that page alone. */

export const LARGEST_TF = 65_535

export interface ScoringModel {
  readonly model: 'bm25' | 'tfidf'
  readonly k1: number
  readonly b: number
}

export interface FieldStatistics {
  /** N_f: documents with at least one token in the field. */
  readonly documents: number
  /** avg_f: exact mean length over those documents. */
  readonly averageLength: number
}

export function encodeLength(length: number): number {
  if (length < 24) return length
  const m = length - 24
  if (m < 8) return 24 + m
  const s = 32 - Math.clz32(m) - 4
  return 24 + (((s + 1) << 3) | ((m >>> s) & 7))
}

export function decodeLength(byte: number): number {
  const c = byte - 24
  if (c < 8) return byte
  return 24 + ((c & 7) | 8) * 2 ** ((c >> 3) - 1)
}

export function inverseDocumentFrequency(scoring: ScoringModel, documents: number, df: number): number {
  if (scoring.model === 'bm25') return Math.log(1 + (documents - df + 0.5) / (df + 0.5))
  return 1 + Math.log((documents + 1) / (df + 1))
}

/** Score of something that occurs `tf` times in a field of `length` tokens. */
export function scoreOf(
  scoring: ScoringModel,
  boost: number,
  idf: number,
  tf: number,
  length: number,
  field: FieldStatistics,
): number {
  const qlen = decodeLength(encodeLength(length))
  if (scoring.model === 'tfidf') return (boost * idf * Math.sqrt(tf)) / Math.sqrt(qlen)
  const { k1, b } = scoring
  return (boost * idf * tf) / (tf + k1 * (1 - b + (b * qlen) / field.averageLength))
}

/** Insert, delete and replace a code point, or swap two neighbours: optimal string alignment, by the full table. */
export function editDistance(left: readonly string[], right: readonly string[]): number {
  let before: readonly number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] as number) + (left[row - 1] === right[column - 1] ? 0 : 1)
      const deleted = (previous[column] as number) + 1
      const inserted = (current[column - 1] as number) + 1
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const swapped = isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, deleted, inserted, swapped))
    }
    before = previous
    previous = current
  }
  return previous[right.length] as number
}
