/** The answer of judging and sorting all pages: what questions about the best of them are compared with. */
import type { Candidate } from './library-parts.js'

/** The best, equal ones by number. */
export function bestBySorting(priorities: Float64Array, budget: number): Candidate[] {
  const order = Uint32Array.from(priorities, (_, doc) => doc)
  order.sort((a, b) => priorities[b]! - priorities[a]! || a - b)
  return Array.from(order.subarray(0, budget), (doc) => ({ doc, priority: priorities[doc]! }))
}

export function isSameAnswer(a: readonly Candidate[], b: readonly Candidate[]): boolean {
  return a.length === b.length && a.every(({ doc, priority }, at) => doc === b[at]!.doc && priority === b[at]!.priority)
}
