import { describe, expect, it } from 'vitest'
import {
  type Analyzer,
  analyzeText,
  normalizeWord,
  requireAnalyzer,
  truncateToken,
} from '../../src/analysis/analyzer.js'
import { FreshdexError } from '../../src/base/errors.js'

const blanks: Analyzer = { name: 'blanks', version: '1', analyze: (text) => text.split(' ') }

describe('the tokens of a text', () => {
  it('are those of the analyzer without the empty ones', () => {
    expect(analyzeText(blanks, ' a  b ')).toEqual({ tokens: ['a', 'b'], truncated: 0 })
  })

  it('come from the analyzer as an object, with its own state', () => {
    class Suffixing implements Analyzer {
      readonly name = 'suffixing'
      readonly version = '1'
      readonly #suffix = '!'
      analyze(text: string) {
        return [text + this.#suffix]
      }
      normalize(word: string) {
        return this.#suffix + word
      }
    }
    expect(analyzeText(new Suffixing(), 'a').tokens).toEqual(['a!'])
    expect(normalizeWord(new Suffixing(), 'a')).toBe('!a')
  })

  it('may be a frozen list', () => {
    expect(analyzeText({ ...blanks, analyze: () => Object.freeze(['a', '']) }, 'x').tokens).toEqual(['a'])
  })

  it('are ANALYZER_FAILED when the list itself fails', () => {
    const trap = () => {
      throw new Error('sprung')
    }
    const analyze = () => new Proxy(['a'], { get: trap })
    expect(() => analyzeText({ ...blanks, analyze }, 'a')).toThrow(expect.objectContaining({ code: 'ANALYZER_FAILED' }))
  })

  it('let REENTRANT through as it is', () => {
    const refused = new FreshdexError('REENTRANT', 'no')
    const calling: Analyzer = {
      ...blanks,
      analyze() {
        throw refused
      },
    }
    expect(() => analyzeText(calling, 'a')).toThrow(refused)
  })
})

describe('a word for prefix and fuzzy search', () => {
  it('is lower-cased unless the analyzer knows better', () => {
    expect(normalizeWord(blanks, 'ÉTÉ')).toBe('été')
    expect(normalizeWord({ ...blanks, normalize: (word) => `<${word}>` }, 'A')).toBe('<A>')
  })
})

describe('a long token', () => {
  it.each<[string, string, string]>([
    ['short ones stay', 'x'.repeat(255), 'x'.repeat(255)],
    ['one byte too many', 'x'.repeat(256), 'x'.repeat(255)],
    ['letters of two bytes', 'é'.repeat(128), 'é'.repeat(127)],
    ['letters of three bytes', '漢'.repeat(86), '漢'.repeat(85)],
    ['letters of four bytes', '🌊'.repeat(64), '🌊'.repeat(63)],
    ['a mixture', `xx${'🌊'.repeat(64)}`, `xx${'🌊'.repeat(63)}`],
    ['lone surrogates count as their replacement', '\ud800'.repeat(86), '\ud800'.repeat(85)],
  ])('is cut between code points: %s', (_, token, cut) => {
    expect(truncateToken(token)).toBe(cut)
    expect(Buffer.byteLength(truncateToken(token))).toBeLessThanOrEqual(255)
  })

  it('is cut without reading to its end', () => {
    expect(truncateToken('é'.repeat(1e6))).toBe('é'.repeat(127))
  })
})

describe('an analyzer', () => {
  it('is accepted as it is', () => {
    expect(requireAnalyzer(blanks)).toBe(blanks)
  })
})
