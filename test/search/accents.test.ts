/** Accents: composed and decomposed, in words, prefixes and fuzzy words, against what Unicode says of each letter. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  body: string
}

const root = mkdtempSync(path.join(tmpdir(), 'freshdex-accents-'))

afterAll(() => rmSync(root, { recursive: true, force: true }))

const ACCENT = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]'

async function opened(analyzer: 'standard' | 'english', foldAccents?: boolean): Promise<Freshdex<Page>> {
  const choice = foldAccents === undefined ? analyzer : { name: analyzer, foldAccents }
  return Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: {} }, analyzer: choice })
}

describe.each(['standard', 'english'] as const)('%s', (analyzer) => {
  it('finds words however their accents are written', async () => {
    const index = await opened(analyzer)
    const texts = ['Zürich', 'Zu\u0308rich', 'ZURICH', 'zurich', 'Zûrich']
    await index.write({ put: texts.map((body, id) => ({ id, body: `in ${body} today` })) })
    for (const text of texts) {
      for (const query of [text, `"in ${text} today"`, `${text.slice(0, 4)}*`, `${text.replace('ich', 'ihc')}~`])
        expect(index.search(query).total, query).toBe(5)
      expect(index.search(text, { asYouType: true }).total).toBe(5)
    }
    const { hits } = index.search('zurich', { snippet: true })
    expect(hits.map(({ snippet }) => snippet?.html).sort()).toEqual(
      texts.map((text) => `in <mark>${text}</mark> today`).sort(),
    )
    expect(index.search('zurihc', { didYouMean: true, learn: false }).didYouMean).toBe('zurich')
    await index.close()
  })

  it('keeps accents where it is told to', async () => {
    const index = await opened(analyzer, false)
    await index.write({ put: [{ id: 1, body: 'Zürich' }] })
    expect(index.search('zurich').total).toBe(0)
    expect(index.search('zür*').total).toBe(1)
    expect(index.search('zur*').total).toBe(0)
    expect(index.stats().analyzer).toMatchObject({ name: analyzer, foldAccents: false })
    await index.close()
  })
})

it('stems what had accents, and takes it for no stop word', async () => {
  const index = await opened('english')
  await index.write({ put: [{ id: 1, body: 'two cafés and thé' }] })
  expect(index.search('cafe').total).toBe(1)
  expect(index.search('thé').total).toBe(1)
  expect(index.analyze('cafés thé the')).toEqual([
    { token: 'cafe', position: 0, start: 0, end: 5 },
    { token: 'the', position: 1, start: 6, end: 9 },
  ])
  await index.close()
})

it('takes curly apostrophes for straight ones in english words', async () => {
  const index = await opened('english')
  await index.write({
    put: [
      { id: 1, body: 'the reader\u2019s copy' },
      { id: 2, body: "a reader's copy" },
    ],
  })
  for (const query of ['reader\u2019*', "reader'*", 'raeder\u2019s~', "raeder's~"])
    expect(index.search(query).total, query).toBe(2)
  await index.close()
})

it('folds each letter as its canonical decomposition says', async () => {
  const index = await opened('standard')
  const accented = new RegExp(`^\\p{L}${ACCENT}+$`, 'u')
  let folded = 0
  for (let code = 0x80; code <= 0x2ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const letter = String.fromCodePoint(code)
    const parts = letter.normalize('NFD')
    if (!accented.test(parts)) continue
    const base = parts.replace(new RegExp(ACCENT, 'gu'), '')
    expect(index.analyze(`x${letter}`), letter).toMatchObject(index.analyze(`x${base}`).map(({ token }) => ({ token })))
    expect(index.analyze(`x${parts}`)[0]?.token, letter).toBe(index.analyze(`x${base}`)[0]?.token)
    folded++
  }
  expect(folded).toBeGreaterThan(700)
  for (const [text, token] of [
    ['Łódź', 'łodz'],
    ['Straße', 'straße'],
    ['Ελλάδα', 'ελλαδα'],
    ['ёлка', 'елка'],
    ['ガール', 'ガー'],
    ['हिन्दी', 'हिन्दी'],
    ['İstanbul', 'istanbul'],
  ] as const)
    expect(index.analyze(text)[0]?.token).toBe(token)
  await index.close()
})

it('gives composed and decomposed text the same tokens', async () => {
  await withSeed('accents', async (seed) => {
    const random = new SeededRandom(seed)
    const index = await opened('english')
    const letters = [..."aeiouéèêëüöäçñåÉÜżěřșţ stnr.'-́̈日本が", 'ǘ', 'ậ', 'ΐ', '😀']
    for (let round = 0; round < rounds(1000, 10_000); round++) {
      const text = Array.from({ length: random.between(1, 30) }, () => random.pick(letters)).join('')
      const tokens = (form: string) =>
        index.analyze(form).map(({ token, position }) => [token.normalize('NFC'), position])
      expect(tokens(text.normalize('NFD')), JSON.stringify(text)).toEqual(tokens(text.normalize('NFC')))
    }
    await index.close()
  })
})

it('is kept with the index', async () => {
  const folder = path.join(root, 'kept.idx')
  const options = { key: 'id', fields: { body: {} } } as const
  const first = await Freshdex.open<Page>(folder, { ...options, analyzer: { name: 'english', foldAccents: false } })
  await first.write({ put: [{ id: 1, body: 'Zürich' }] })
  await first.close()
  await expect(Freshdex.open<Page>(folder, { ...options, analyzer: 'english' })).rejects.toMatchObject({
    code: 'MISMATCH',
    message: expect.stringMatching(/has the foldAccents .false., but was opened with .true./),
  })
  const again = await Freshdex.open<Page>(folder)
  expect(again.search('zurich').total).toBe(0)
  expect(again.search('zürich').total).toBe(1)
  await again.close()
})

it('refuses what it does not know', async () => {
  const open = (analyzer: unknown) =>
    Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: {} }, analyzer } as never)
  await expect(open({ name: 'english', foldAccents: 'yes' })).rejects.toThrow('analyzer.foldAccents')
  await expect(open({ name: 'english', accents: false })).rejects.toThrow('accents')
  await expect(open({ name: 'klingon', foldAccents: true })).rejects.toThrow('analyzer.name must be')
  await expect(open({ name: 'klingon' })).rejects.toThrow('analyzer.version')
})
