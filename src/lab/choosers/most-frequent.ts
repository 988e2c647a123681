/** The pages that changed most often when they were visited ("Freq" of Tan and Mitra, Clustering-based incremental web crawling, section 6.5). */
import type { Judge } from './judged-chooser.js'
import { VisitHistories } from './visit-histories.js'

export function mostFrequent(pages: number): Judge {
  const histories = new VisitHistories(pages)
  return {
    priority: (page) => histories.frequency(page),
    observe: (page, { kind }) => histories.note(page, kind !== 'same'),
  }
}
