/**
 * A page's value in today's answers, sum of f(q) I(rank) score over all queries: what can be lost while its copy is old. With
 * signals of changes that is all; without them, in proportion to the age of the copy.
 */
import type { RepositoryQuality } from '../quality/repository-quality.js'
import type { Judge } from './judged-chooser.js'

export function valueAtStake({ hasSignals }: { readonly hasSignals: boolean }): Judge {
  const stakes = currentStakes()
  return { ...stakes.judge, priority: (page, ageMs) => stakes.of(page) * (hasSignals ? 1 : ageMs) }
}

/** Stakes as of the step, for judges that want them. */
export function currentStakes() {
  let state: RepositoryQuality | undefined
  let stakes: Float64Array = new Float64Array()
  return {
    judge: {
      start: (given: RepositoryQuality) => {
        state = given
      },
      beginStep: () => {
        stakes = state!.stakes()
      },
    },
    of: (page: number) => stakes[page]!,
  }
}
