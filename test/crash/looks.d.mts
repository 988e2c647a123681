import type { Freshdex } from 'freshdex'
import type { Written } from './batches.mjs'
import type { State } from './states.mjs'

/** Histories, signals, trust and clusters, and how many pages of the frontier wait. */
export interface Looks {
  readonly histories: object
}
/** Pages of the frontier by URL, and how many were learnt from. */
export interface FrontierLooks {
  readonly pages: object
  readonly learnt: number
}
export function looksOf(index: Pick<Freshdex<Written>, 'refresh' | 'clusters' | 'frontier' | 'stats'>): Looks
export function expectedLooks(state: State): Looks
export function frontierIn(folder: string): FrontierLooks
export function expectedFrontier(state: State): FrontierLooks
