import { type AnalyzerIdentity, identityOf } from '../analysis/analyzer.js'
import type { ColumnKind } from '../base/columns.js'
import type { ScoringModel } from '../options/index-options.js'
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
  /** What the core holds in memory; mapped segments are left out. */
  readonly memoryBytes: number
  /** Counts the batches published so far. */
  readonly sequence: number
  /** The property that identifies a document. */
  readonly key: string
  readonly fields: Readonly<Record<string, FieldStats>>
  /** The columns, each with its kind. */
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** The date column that says until when a document is found. */
  readonly expires?: string
  readonly analyzer: AnalyzerIdentity
  /** Of the fields that have one of their own; absent where none has. */
  readonly fieldAnalyzers?: Readonly<Record<string, AnalyzerIdentity>>
  /** How answers are scored. */
  readonly scoring: ScoringStats
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

/** The scoring of an index with all defaults filled in. */
export interface ScoringStats {
  readonly model: ScoringModel
  /** Only of bm25. */
  readonly k1?: number
  /** Only of bm25. */
  readonly b?: number
  /** By field. */
  readonly boosts: Readonly<Record<string, number>>
  /** Only where documents have a weight: the property that holds it, and what text score and weight count. */
  readonly weight?: { readonly property: string; readonly alpha: number; readonly beta: number }
}

type StatsSettings = Pick<
  OpenSettings,
  'key' | 'fieldNames' | 'fieldBoosts' | 'fieldAnalyzers' | 'columns' | 'expires' | 'analyzer' | 'scoring'
>

export function toStats(native: NativeStats, settings: StatsSettings): IndexStats {
  const { key, fieldNames, columns, expires, analyzer } = settings
  const { fieldDocuments, fieldTokens, tableBytes, unflushedBytes, documentLimit: _, ...others } = native
  const { termBytes, keyBytes, documentBytes, heldPostingBytes, mappedBytes, ...counts } = others
  const fields = fieldNames.map((name, id): [string, FieldStats] => [
    name,
    { documents: fieldDocuments[id] ?? 0, tokens: fieldTokens[id] ?? 0 },
  ])
  return {
    ...counts,
    key,
    fields: Object.fromEntries(fields),
    columns: Object.fromEntries(columns.map(({ name, kind }) => [name, kind])),
    ...(expires === undefined ? {} : { expires }),
    analyzer: identityOf(analyzer),
    ...fieldAnalyzersOf(settings),
    scoring: scoringOf(settings),
  }
}

function scoringOf({ fieldNames, fieldBoosts, scoring }: StatsSettings): ScoringStats {
  const { model, k1, b, weight: property, alpha, beta } = scoring
  return {
    model,
    ...(model === 'bm25' ? { k1, b } : {}),
    boosts: Object.fromEntries(fieldNames.map((name, id) => [name, fieldBoosts[id] ?? 1])),
    ...(property === undefined ? {} : { weight: { property, alpha, beta } }),
  }
}

function fieldAnalyzersOf({ fieldNames, fieldAnalyzers, analyzer }: StatsSettings): Pick<IndexStats, 'fieldAnalyzers'> {
  const own = fieldNames.flatMap((name, at) => {
    const used = fieldAnalyzers[at] as StatsSettings['analyzer']
    return used === analyzer ? [] : [[name, identityOf(used)] as const]
  })
  return own.length === 0 ? {} : { fieldAnalyzers: Object.fromEntries(own) }
}
