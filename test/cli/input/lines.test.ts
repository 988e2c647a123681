import { describe, expect, it } from 'vitest'
import { type Line, LineSplitter } from '../../../src/cli/input/lines.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

function split(chunks: readonly Uint8Array[], maxBytes?: number): Line[] {
  const splitter = new LineSplitter(maxBytes)
  return [...chunks.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()]
}

function texts(input: string | Uint8Array): (string | undefined)[] {
  return split([Buffer.from(input)]).map(({ text }) => text)
}

describe('LineSplitter', () => {
  it.each([
    ['nothing', '', []],
    ['a line', 'a\n', ['a']],
    ['a last line without an end', 'a\nb', ['a', 'b']],
    ['both kinds of ends', 'a\r\nb\nc\r\n', ['a', 'b', 'c']],
    ['a carriage return inside a line', 'a\rb\r\r\n', ['a\rb\r']],
    ['empty lines', '\n\r\n\n', ['', '', '']],
    ['a byte order mark', '\ufeffa\n\ufeffb\n', ['a', '\ufeffb']],
    ['a byte order mark and nothing else', '\ufeff', ['']],
  ])('reads %s', (_, input, expected) => {
    expect(texts(input)).toEqual(expected)
  })

  it('replaces what is not UTF-8', () => {
    expect(texts(Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82))).toEqual(['a\ufffdb', '\ufffd'])
  })

  it('numbers lines from 1 and counts their bytes without the line feed', () => {
    expect(split([Buffer.from('é\n\nabc')])).toEqual([
      { number: 1, text: 'é', bytes: 2 },
      { number: 2, text: '', bytes: 0 },
      { number: 3, text: 'abc', bytes: 3 },
    ])
  })

  it('drops a line that is too long, in however many pieces it comes, and goes on behind it', () => {
    const chunks = ['abcd\nab', 'cd', 'e', 'fgh\nab', '\nabcde'].map((text) => Buffer.from(text))
    expect(split(chunks, 4)).toEqual([
      { number: 1, text: 'abcd', bytes: 4 },
      { number: 2, text: undefined, bytes: 8 },
      { number: 3, text: 'ab', bytes: 2 },
      { number: 4, text: undefined, bytes: 5 },
    ])
  })

  it('gives the same lines wherever the chunks end', () => {
    withSeed('line splitter', (seed) => {
      const random = new SeededRandom(seed)
      const pieces = ['a', 'é', '€', '😀', '\n', '\r\n', '\r', ' ', '{"a":1}']
      for (let round = 0; round < 300; round++) {
        const text = Array.from({ length: random.int(40) }, () => random.pick(pieces)).join('')
        const bytes = Buffer.from(text)
        const chunks: Buffer[] = []
        for (let at = 0; at < bytes.length; ) {
          const end = at + random.between(1, 6)
          chunks.push(bytes.subarray(at, end))
          at = end
        }
        const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
        if (text === '' || text.endsWith('\n')) lines.pop()
        expect(split(chunks).map((line) => line.text)).toEqual(lines)
      }
    })
  })
})
