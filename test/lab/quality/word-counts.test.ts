import { Freshdex, type PresetName } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { withPresetTokens } from '../../../src/lab/quality/counted-world.js'
import { WordCounter } from '../../../src/lab/quality/word-counts.js'
import { inverseDocumentFrequency, LARGEST_TF, type ScoringModel, scoreOf } from '../../model/naive-scoring.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'

/**
 * What the rules of words are about: letters of several scripts, digits, what joins, marks, CJK, signs and white space.
 */
const PIECES = [
  ...['a', 'B', 'é', 'ß', 'Ω', 'ж', 'א', 'ا', 'न', 'ก', '1', '2', '٣', '_', '‿', 'ª', 'ʰ', 'İ', 'Σ', 'ς', 'ﬁ'],
  ...['.', ',', ':', ';', "'", '’', '·', '-', '/', '@', '#', '"', '(', '€', '½', '²', '™'],
  ...['\u0301', '\u200d', '\u00ad', '\u20dd', '日', '本', 'ひ', 'カ', 'ー', 'ﾞ', '한', '글', '々', '。', '、'],
  ...['😀', '©', '👩\u200d🚀', '🇫🇷', '𝒳', '𐐀', ' ', ' ', '\n', '\t', '\u00a0', '\u2028', '\u3000'],
]

const BM25: ScoringModel = { model: 'bm25', k1: 1.2, b: 0.75 }
const IDF = inverseDocumentFrequency(BM25, 1, 1)

function randomText(random: SeededRandom): string {
  return Array.from({ length: random.between(1, 14) }, () => random.pick(PIECES)).join('')
}

describe('words are counted as an index counts them', () => {
  it('whatever characters stand side by side', async () => {
    await withSeed('word counts', async (seed) => {
      const random = seededRandom('word counts', seed)
      for (let round = 0; round < 150; round++) {
        const text = Array.from({ length: 20 }, () => randomText(random)).join(' ')
        await expectSame(text, random.pick(['standard', 'english']))
      }
    })
  })

  it('in long texts and very long words', async () => {
    await expectSame('')
    await expectSame(`${'x'.repeat(3000)} ${'日'.repeat(400)} ${'word '.repeat(70_000)}`)
  })

  /** Number of tokens, and which of them are there how often: the index finds each by itself. */
  async function expectSame(text: string, analyzer: PresetName = 'standard'): Promise<void> {
    const { words, length, frequencies } = await withPresetTokens(analyzer, (tokensOf) => {
      // A token may be no word of its own: "á" gives "a", which english leaves out.
      const words = [...new Set(tokensOf(text))].filter((word) => tokensOf(word).includes(word))
      return { words, ...new WordCounter(words, tokensOf).count(text) }
    })
    const index = await Freshdex.open<{ key: string; text: string }>(':memory:', {
      key: 'key',
      fields: { text: {} },
      analyzer,
      workload: false,
    })
    await index.write({ put: [{ key: 'only', text }] })
    expect(index.stats().fields.text!.tokens, JSON.stringify(text)).toBe(length)
    for (const word of words.filter((token) => Buffer.byteLength(token) <= 255).slice(0, 40)) {
      // The scores of a single document tell frequencies.
      const tf = Math.min(frequencies.get(words.indexOf(word))!, LARGEST_TF)
      const wanted = scoreOf(BM25, 1, IDF, tf, length, { documents: 1, averageLength: length })
      const found = index.search({ word }).hits[0]?.score
      expect(found, `${JSON.stringify(word)} in ${JSON.stringify(text)}`).toBeCloseTo(wanted, 9)
    }
    await index.close()
  }
})
