import { type AnalyzerIdentity, identityOf } from '../analysis/analyzer.js'
import type { OpenSettings } from '../options/index-settings.js'
import type { NativeStats } from './addon-shape.js'

export interface IndexStats {
  readonly documents: number
  /** Distinct pairs of field and token seen so far, also those that no document has any more. */
  readonly terms: number
  /** Pairs of term and document. */
  readonly postings: number
  /** Changes of postings that wait to be folded into the base partitions. */
  readonly pendingPostings: number
  readonly partitions: number
  readonly runs: number
  readonly forwardBytes: number
  /**
   * The memory of the stored documents. Those of an index in a folder are in the catalog; the core keeps their hashes.
   */
  readonly storedBytes: number
  readonly postingBytes: number
  /** All native memory of the index. */
  readonly memoryBytes: number
  /** Counts the batches published so far. */
  readonly sequence: number
  /** The property that identifies a document. */
  readonly key: string
  readonly fields: Readonly<Record<string, FieldStats>>
  readonly analyzer: AnalyzerIdentity
}

export interface DiskStats {
  readonly path: string
  readonly readOnly: boolean
  /** Undefined when opened for reading. */
  readonly durability: 'power' | 'process' | undefined
  /** Segment files of the index. */
  readonly segments: number
  readonly segmentBytes: number
  /** Batches up to this one are in segments; later ones are in the log. */
  readonly flushedSequence: number
  /** Bytes of the batches in the log. For a reader: of the batches replayed since the opening. */
  readonly logBytes: number
}

export interface FieldStats {
  /** Documents with at least one token in the field. */
  readonly documents: number
  readonly tokens: number
}

type StatsSettings = Pick<OpenSettings, 'key' | 'fieldNames' | 'analyzer'>

export function toStats(native: NativeStats, { key, fieldNames, analyzer }: StatsSettings): IndexStats {
  const { fieldDocuments, fieldTokens, tableBytes, unflushedBytes, ...counts } = native
  const fields = fieldNames.map((name, id): [string, FieldStats] => [
    name,
    { documents: fieldDocuments[id] ?? 0, tokens: fieldTokens[id] ?? 0 },
  ])
  return { ...counts, key, fields: Object.fromEntries(fields), analyzer: identityOf(analyzer) }
}
