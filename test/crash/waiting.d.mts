import type { OpenOptions } from 'freshdex'

export interface Refreshed {
  url: string
  body: string
}
export const OPTIONS: OpenOptions<Refreshed>
export const PAGES: number
export function urlOf(nth: number): string
export function refreshAt(number: number): number
export function refreshOf(number: number): Refreshed[]
