import { expect, it } from 'vitest'
import { singleTerms } from '../../src/workload/measured-queries.js'

it('a word weighs what the queries that contain it weigh, each once', () => {
  const words = singleTerms([
    { words: ['cancer'], weight: 10 },
    { words: ['breast', 'cancer'], weight: 4 },
    { words: ['new', 'car'], weight: 3 },
    { words: ['new', 'new', 'york'], weight: 2 },
    { words: [], weight: 5 },
  ])
  expect(words).toEqual([
    { word: 'cancer', weight: 14 },
    { word: 'breast', weight: 4 },
    { word: 'new', weight: 5 },
    { word: 'car', weight: 3 },
    { word: 'york', weight: 2 },
  ])
})
