/** Sees the live pages and takes those whose refresh adds most to the quality of the answers, each by itself. What nobody can do. */
import type { RepositoryQuality } from '../quality/repository-quality.js'
import type { Judge } from './judged-chooser.js'

export function oracle(): Judge {
  let state: RepositoryQuality | undefined
  return {
    start: (given) => {
      state = given
    },
    priority: (page) => state!.deltaQuality(page),
  }
}
