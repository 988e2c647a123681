/**
 * Pages of a schedule as columns of numbers, in which they go to another thread: laws are instances of classes, which
 * no message can carry. A revived law has the same parameters, bit by bit, so that it gives the same timetable.
 */
import { describe } from '../../base/describe.js'
import { FreshdexError } from '../../base/errors.js'
import type { Steps } from '../../base/turns.js'
import { ParetoLaw } from '../../change/laws/pareto.js'
import { PoissonLaw } from '../../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../change/laws/weibull.js'
import type { UpdateLaw } from '../../change/update-law.js'
import type { PageToCrawl } from '../../schedule/schedule.js'

enum Kind {
  Poisson,
  Weibull,
  Pareto,
  QuasiDeterministic,
}

/** What a ledger says of a page to crawl: it has no windows, fixed times or crawlers of its own. */
export type LedgerPage = Required<Pick<PageToCrawl, 'law' | 'weight' | 'lastCrawl'>> & Pick<PageToCrawl, 'minimum'>

/** The columns do not share memory, so that each can be moved to a thread. */
export interface PackedPages {
  /** By page: the kind of its law. */
  readonly kinds: Uint8Array
  /** Two of each page. Poisson: the rate. Weibull, Pareto: shape and scale. Else: the period and `startStale`. */
  readonly parameters: Float64Array
  /** Where the update times of each page begin, and after the last page where they end. */
  readonly updateOffsets: Float64Array
  readonly updateTimes: Float64Array
  readonly updateProbabilities: Float64Array
  readonly weights: Float64Array
  readonly lastCrawls: Float64Array
  /** 0 is the same as none. */
  readonly minimums: Float64Array
}

/** INTERNAL for a law that is no columns of numbers; none such is fitted to a ledger. */
export function* packPages(pages: readonly LedgerPage[]): Steps<PackedPages> {
  let updates = 0
  for (const { law } of pages) {
    if (law instanceof QuasiDeterministicLaw) updates += law.times.length
    yield
  }
  const packed: PackedPages = {
    kinds: new Uint8Array(pages.length),
    parameters: new Float64Array(2 * pages.length),
    updateOffsets: new Float64Array(pages.length + 1),
    updateTimes: new Float64Array(updates),
    updateProbabilities: new Float64Array(updates),
    weights: new Float64Array(pages.length),
    lastCrawls: new Float64Array(pages.length),
    minimums: new Float64Array(pages.length),
  }
  for (let page = 0; page < pages.length; page++) {
    const { law, weight, lastCrawl, minimum = 0 } = pages[page]!
    packLaw(packed, page, law)
    packed.weights[page] = weight
    packed.lastCrawls[page] = lastCrawl
    packed.minimums[page] = minimum
    yield
  }
  return packed
}

function packLaw(packed: PackedPages, page: number, law: UpdateLaw): void {
  const { kinds, parameters, updateOffsets, updateTimes, updateProbabilities } = packed
  const start = updateOffsets[page]!
  updateOffsets[page + 1] = start
  if (law instanceof PoissonLaw) {
    kinds[page] = Kind.Poisson
    parameters[2 * page] = law.rate
  } else if (law instanceof WeibullLaw || law instanceof ParetoLaw) {
    kinds[page] = law instanceof WeibullLaw ? Kind.Weibull : Kind.Pareto
    parameters[2 * page] = law.shape
    parameters[2 * page + 1] = law.scale
  } else if (law instanceof QuasiDeterministicLaw) {
    kinds[page] = Kind.QuasiDeterministic
    parameters[2 * page] = law.period
    parameters[2 * page + 1] = law.startStale
    updateTimes.set(law.times, start)
    updateProbabilities.set(law.probabilities, start)
    updateOffsets[page + 1] = start + law.times.length
  } else {
    throw new FreshdexError('INTERNAL', `the law of page ${page} cannot go to a thread: ${describe(law)}`)
  }
}

/** The pages that were packed. */
export function unpackPages(packed: PackedPages): LedgerPage[] {
  return Array.from(packed.kinds, (_, page) => {
    const minimum = packed.minimums[page]!
    return {
      law: unpackLaw(packed, page),
      weight: packed.weights[page]!,
      lastCrawl: packed.lastCrawls[page]!,
      ...(minimum === 0 ? {} : { minimum }),
    }
  })
}

function unpackLaw(packed: PackedPages, page: number): UpdateLaw {
  const [first, second] = packed.parameters.subarray(2 * page, 2 * page + 2) as unknown as [number, number]
  switch (packed.kinds[page]! as Kind) {
    case Kind.Poisson:
      return new PoissonLaw({ rate: first })
    case Kind.Weibull:
      return new WeibullLaw({ shape: first, scale: second })
    case Kind.Pareto:
      return new ParetoLaw({ shape: first, scale: second })
    case Kind.QuasiDeterministic: {
      const own = [packed.updateOffsets[page]!, packed.updateOffsets[page + 1]!] as const
      const times = packed.updateTimes.subarray(...own)
      const probabilities = packed.updateProbabilities.subarray(...own)
      return new QuasiDeterministicLaw({ period: first, startStale: second, times, probabilities })
    }
  }
}
