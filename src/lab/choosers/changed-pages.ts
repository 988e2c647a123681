/** Sees the live pages and takes those that have changed: no policy can find more changes. */
import { isFresh } from '../quality/freshness.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import type { Judge } from './judged-chooser.js'

export function changedPages(): Judge {
  let state: RepositoryQuality | undefined
  return {
    start: (given) => {
      state = given
    },
    priority: (page) => (isFresh(state!.copies, page) ? 0 : 1),
  }
}
