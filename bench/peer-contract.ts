/**
 * What the program of a peer is asked, and what it says. A program gets one JSON document as its only argument and
 * prints one. It ends with a status other than 0 if it fails.
 */

/**
 * `exact`: the number of all matches is asked for. `limited`: a peer that has a setting for it counts up to 1,000
 * matches, or none where the setting is yes or no.
 */
export type Counting = 'exact' | 'limited'

export const COUNT_LIMIT = 1000
export const BEST = 10

/** Flat, so that a program without a JSON library can read it. */
export type PeerTask =
  | {
      readonly step: 'build'
      /** Page records: see page-records.ts. */
      readonly pages: string
      /** Where the index is made; the folder is there and empty. */
      readonly index: string
      /** freshdex alone: with the histories that a prioritizer keeps. */
      readonly keepsHistories?: boolean
    }
  | {
      readonly step: 'ask'
      readonly pages: string
      readonly index: string
      /** A line for each question: class, kind and words, with tabs between them; those of a class in a row. */
      readonly questions: string
      readonly counting: Counting
      /** Through all questions of a class; a question counts with its shortest run. */
      readonly passes: number
      /** When a class has taken so long, it is left: questions that have not been asked by then have no answer. */
      readonly budgetMs: number
    }
  | {
      /** An index that will be written to. */
      readonly step: 'prepare'
      readonly pages: string
      readonly index: string
      /** freshdex alone: the queries by which refreshes are measured, a line each; empty: nothing is measured. */
      readonly queries: string
    }
  | {
      readonly step: 'write'
      /** What 'prepare' made, or a copy of it. */
      readonly index: string
      /** Sections of writes: see replacing/write-sections.ts. A write is a commit. */
      readonly sections: string
    }

export interface BuildReport {
  readonly version: string
  readonly wallUs: number
  /** Of all threads. */
  readonly cpuUs: number
  /** The most memory that was resident; 0 where the system does not say. */
  readonly peakBytes: number
}

/** By the place of the question; null if it was not asked. */
export interface AnswerReport {
  readonly version: string
  readonly us: readonly (number | null)[]
  /** As exact as the counting; null also if the peer does not count. */
  readonly totals: readonly (number | null)[]
  /** Keys of hits read, in all. */
  readonly keysRead: number
  readonly openUs: number
  readonly residentBytes: number
}

/** A section of writes, from the first to the last, and what goes on behind them until they are merged or folded. */
export interface SectionCost {
  readonly name: string
  readonly writes: number
  readonly wallUs: number
  /** Of all threads. */
  readonly cpuUs: number
  /** The median of the writes, on the wall. */
  readonly p50Us: number
}

export interface WriteReport {
  readonly version: string
  readonly sections: readonly SectionCost[]
  /** Closing, with the merges that it waits for. */
  readonly closeCpuUs: number
}
