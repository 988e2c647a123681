import { describe, expect, it } from 'vitest'
import xxhash from 'xxhash-wasm'
import { hashName, textName, wordHashesOf } from '../../src/workload/query-log.js'

const { h64 } = await xxhash()
const hash = (word: string) => h64(word)

describe('the name of a text', () => {
  it.each([
    ['thyroid  cancer', 'thyroid cancer'],
    ['\t a \u00a0\r\n b\u2003', 'a b'],
    [' \n ', ''],
    ['a\ud800b', 'a\ufffdb'],
    ['🌊 x', '🌊 x'],
    ['Cancer', 'Cancer'],
  ])('of %j is %j', (text, name) => {
    expect(textName(text)).toBe(name)
    expect(textName(name)).toBe(name)
  })
})

describe('the name by hashes', () => {
  it('depends on the distinct words only', () => {
    const name = hashName(['breast', 'cancer'], hash)
    expect(hashName(['cancer', 'breast', 'cancer'], hash)).toBe(name)
    expect(hashName(['cancer'], hash)).not.toBe(name)
    expect(name).not.toContain('cancer')
    expect(textName(name)).toBe(name)
  })

  it('has 16 digits a word, in order of the hashes', () => {
    const hashes = new Map([
      ['a', 0xfn],
      ['b', 2n ** 64n - 1n],
      ['c', 0n],
      ['d', 0xfn],
    ])
    const name = hashName(['b', 'a', 'c', 'd'], (word) => hashes.get(word) as bigint)
    expect(name).toBe('0000000000000000.000000000000000f.ffffffffffffffff')
    expect(wordHashesOf(name)).toEqual([0n, 0xfn, 2n ** 64n - 1n])
  })

  it('of no words is empty', () => {
    expect(hashName([], hash)).toBe('')
  })

  it.each(['', 'thyroid cancer', '00', '0000000000000000.', '000000000000000G'])(
    'is not what %j looks like',
    (name) => {
      expect(wordHashesOf(name)).toBeUndefined()
    },
  )
})
