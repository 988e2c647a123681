import { expect, it } from 'vitest'
import type { NativeStats } from '../../src/engine/binding.js'
import { toStats } from '../../src/engine/stats.js'
import { toWriteReport } from '../../src/engine/write-report.js'

it('a write report names the counts of the core by their position', () => {
  expect(toWriteReport(Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), 100)).toEqual({
    added: 1,
    replaced: 2,
    unchanged: 3,
    removed: 4,
    missing: 5,
    tokens: { total: 6, tokenized: 7 },
    postings: { total: 8, written: 9 },
    newTerms: 10,
    truncatedTokens: 111,
    rewritten: 12,
  })
})

it('statistics name the fields, whatever they are called', () => {
  const counts = {
    documents: 1,
    terms: 2,
    postings: 3,
    pendingPostings: 4,
    partitions: 5,
    runs: 6,
    forwardBytes: 7,
    storedBytes: 8,
    postingBytes: 9,
    memoryBytes: 10,
    sequence: 11,
  }
  const native: NativeStats = {
    ...counts,
    tableBytes: 12,
    unflushedBytes: 13,
    fieldDocuments: Float64Array.from([1, 2]),
    fieldTokens: Float64Array.from([30, 40]),
  }
  const stats = toStats(native, { fieldNames: ['title', '__proto__'], analyzer: 'english' })
  expect(stats).toEqual({
    ...counts,
    fields: JSON.parse('{"title":{"documents":1,"tokens":30},"__proto__":{"documents":2,"tokens":40}}'),
    analyzer: { name: 'english', version: '1' },
  })
  expect(Object.keys(stats.fields)).toEqual(['title', '__proto__'])
})
