import type { Freshdex, Key } from 'freshdex'
import type { Written } from './batches.mjs'

export interface Position {
  /** Batches. */
  readonly number: number
  /** Steps of the next one. */
  readonly step: number
}
export interface Step {
  readonly kind: 'add' | 'remove' | 'signal' | 'cluster' | 'next' | 'plan' | 'write'
}
export const START: Position
export function codeOf(position: Position): number
export function positionOf(code: number): Position
export function isInCrowd(number: number): boolean
export function stepsOf(seed: number, number: number): Step[]
export function positionAfter(seed: number, number: number, place: number): Position
export function beginBatch(index: Pick<Freshdex<Written>, 'workload'>, number: number): void
export function isPrompt(step: Step): boolean
export function perform(index: Freshdex<Written>, step: Step): Promise<unknown>
export function signalsIn(step: Step, isThere: (key: Key) => boolean): [Key, string][]
