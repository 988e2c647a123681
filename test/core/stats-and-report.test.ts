import { expect, it } from 'vitest'
import type { NativeStats } from '../../src/core/addon-shape.js'
import { toStats } from '../../src/core/stats.js'
import type { BatchMeasure, PreparedBatch } from '../../src/engine.js'
import { writeReport } from '../../src/write/report.js'

const OVERHEAD = { indexUs: 2, measureUs: 1, fitUs: 0, ledgerUs: 0, ratio: 0.5, skippedWeight: 0 }

it('a write report names the counts of the core by their position', () => {
  const { prepared, measure } = preparedBatch({ documents: [4, 9], pages: [9, 4], deltaQuality: [0, 2.5] })
  expect(
    writeReport({ prepared, measure }, OVERHEAD, { truncatedTokens: 100, keys: ['a'], removedKeys: ['b'] }),
  ).toEqual({
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
    gains: [{ key: 'a', deltaQuality: 2.5 }],
    linked: [],
    overhead: OVERHEAD,
  })
})

it('a write report names documents by their keys, the largest gain first, removed ones too', () => {
  const { prepared, measure } = preparedBatch({ documents: [7, 3, 5], pages: [3, 5, 7], deltaQuality: [1, 4, 2] })
  const { gains } = writeReport({ prepared, measure }, OVERHEAD, {
    truncatedTokens: 0,
    keys: ['seven', 3],
    removedKeys: ['removed'],
  })
  expect(gains).toEqual([
    { key: 'removed', deltaQuality: 4 },
    { key: 'seven', deltaQuality: 2 },
    { key: 3, deltaQuality: 1 },
  ])
})

function preparedBatch(given: { documents: number[]; pages: number[]; deltaQuality: number[] }) {
  const counts = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  const measure = {
    pages: Uint32Array.from(given.pages),
    deltaQuality: Float64Array.from(given.deltaQuality),
  } as BatchMeasure
  return { prepared: { counts, documents: Uint32Array.from(given.documents) } as PreparedBatch, measure }
}

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
    documentLimit: 19,
    ...{ termBytes: 14, keyBytes: 15, documentBytes: 16, heldPostingBytes: 17, mappedBytes: 18 },
    fieldDocuments: Float64Array.from([1, 2]),
    fieldTokens: Float64Array.from([30, 40]),
  }
  const stats = toStats(native, {
    ...{ key: 'url', fieldNames: ['title', '__proto__'], fieldBoosts: [2, 0.5], analyzer: 'english' },
    fieldAnalyzers: ['english', 'standard, accents kept'],
    columns: [{ name: 'until', kind: 'date' }],
    expires: 'until',
    scoring: { model: 'bm25', k1: 1.5, b: 0, weight: 'links', alpha: 1, beta: 3 },
  })
  expect(stats).toEqual({
    ...counts,
    key: 'url',
    fields: JSON.parse('{"title":{"documents":1,"tokens":30},"__proto__":{"documents":2,"tokens":40}}'),
    columns: { until: 'date' },
    expires: 'until',
    analyzer: { name: 'english', version: '1', foldAccents: true },
    fieldAnalyzers: JSON.parse('{"__proto__":{"name":"standard","version":"1","foldAccents":false}}'),
    scoring: {
      ...{ model: 'bm25', k1: 1.5, b: 0, weight: { property: 'links', alpha: 1, beta: 3 } },
      boosts: JSON.parse('{"title":2,"__proto__":0.5}'),
    },
  })
  expect(Object.keys(stats.fields)).toEqual(['title', '__proto__'])
})
