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
