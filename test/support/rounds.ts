/**
 * How often a test repeats itself. The ordinary run takes a sample that is large enough to meet every kind of case; the
 * long run (FRESHDEX_LONG=1, `npm run test:long`) takes many more, or all of them where they can be counted.
 */

export const IS_LONG = Boolean(process.env.FRESHDEX_LONG)

/** The number of repetitions, cases or bytes for the run that is under way. */
export function rounds(ordinary: number, long: number): number {
  return IS_LONG ? long : ordinary
}

/** Every item in the long run, otherwise each `every`th from one on that depends on `start`. */
export function sampled<T>(items: readonly T[], every: number, start: number): readonly T[] {
  return IS_LONG ? items : items.filter((_, nth) => nth % every === start % every)
}
