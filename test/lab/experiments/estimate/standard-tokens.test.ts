/** The lab's own reading of words has the words that an index has. */
import { Freshdex } from 'freshdex'
import { expect, test } from 'vitest'
import { standardTokens } from '../../../../src/lab/experiments/estimate/standard-tokens.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'

/** Hangul choseong and jungseong filler, the filler of compatibility letters, and its half-width form. */
const FILLERS = ['\u115f', '\u1160', '\u3164', '\uffa0']

test('drops Hangul fillers, which stand for nothing', () => {
  for (const filler of FILLERS) {
    expect(standardTokens(filler), filler).toEqual([])
    expect(standardTokens(`harbour${filler}ferry`)).toEqual(['harbour', 'ferry'])
    expect(standardTokens(`가${filler}나다`)).toEqual(['가', '나다'])
  }
})

test('counts as many tokens as an index, with fillers among letters of all kinds', () =>
  withSeed('fillers', async (seed) => {
    const random = new SeededRandom(seed)
    const characters = [...FILLERS, 'a', 'b', '1', "'", '가', '나', '漢', ' ', '-', 'é']
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: 1 + random.int(12) }, () => random.pick(characters)).join(''),
    )
    await using index = await Freshdex.open<{ id: number; text: string }>(':memory:', {
      key: 'id',
      fields: { text: {} },
    })
    let tokens = 0
    for (const [id, text] of texts.entries()) {
      await index.write({ put: [{ id, text }] })
      tokens += standardTokens(text).length
      expect(index.stats().fields.text?.tokens, JSON.stringify(text)).toBe(tokens)
    }
  }))
