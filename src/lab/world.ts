/** A world that changes: what it holds at its first step, and what every later step changes. */

export interface WorldPage {
  readonly url: string
  readonly title: string
  readonly text: string
}

export interface WorldStep {
  /** Grows from step to step. */
  readonly atMs: number
  /** Pages that are new or differ from their version before; all pages in the first step. No page twice. */
  readonly versions: readonly WorldPage[]
  /** Pages of the step before that are no longer there. */
  readonly gone: readonly string[]
}

/** Can be told again from its start. */
export type World = AsyncIterable<WorldStep>
