/** What a contender has to do, and which there are. */
import type { BenchPage } from './pages.js'
import type { Kind, Question } from './questions.js'

export const CONTENDERS = ['freshdex', 'plain', 'fts5', 'flexsearch'] as const
export type ContenderName = (typeof CONTENDERS)[number]

/** As people call it. */
export const CONTENDER_TITLES: Readonly<Record<ContenderName, string>> = {
  freshdex: 'freshdex',
  plain: 'search only',
  fts5: 'FTS5',
  flexsearch: 'FlexSearch',
}

/** Hits that are asked for. */
export const BEST = 10

export interface ContenderSetup {
  /** An empty folder for what it keeps on disk. */
  readonly folder: string
  readonly fields: readonly string[]
  readonly isEnglish: boolean
}

export interface Contender {
  readonly version: string
  /** Adds pages, or replaces those that it has, as one step that survives the end of the process. */
  write(pages: readonly BenchPage[]): Promise<void>
  /** Learns what people ask, as far as it does such a thing. Called once, before the revisions. */
  learn(questions: readonly Question[]): Promise<void>
  /** Merges as far as it goes, which some engines want before questions. */
  merge(): Promise<void>
  /** Undefined: it has no such questions. What is done here is not timed. */
  prepare(question: Question): unknown
  /** The keys of the best hits. */
  ask(prepared: unknown): readonly unknown[]
  close(): Promise<void>
}

/** Thrown where a contender is not installed. */
export class ContenderAbsent extends Error {}

export interface Latency {
  readonly questions: number
  readonly p50Us: number
  readonly p99Us: number
}

/** What one contender took in one round; times of CPU are those of all threads of its process. */
export interface Measured {
  readonly version: string
  readonly indexCpuUs: number
  readonly indexWallUs: number
  readonly replaceCpuUs: number
  readonly replaceWallUs: number
  readonly singleWriteP50Us: number
  readonly mergeCpuUs: number
  readonly search: { readonly [Of in Kind]?: Latency }
  /** On disk; undefined for what is in memory. */
  readonly diskBytes?: number
  /** How far the resident memory of the process has grown, after loading and after the questions. */
  readonly loadedBytes: number
  readonly askedBytes: number
}
