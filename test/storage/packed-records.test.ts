/** Compactions that pack the words of documents, and those that do not: only the bytes differ. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { expect, test } from 'vitest'
import { SeededRandom, withSeed } from '../support/seed.js'
import { newPath } from './temporary-folder.js'

interface Page {
  readonly id: string
  readonly body: string
}

const WORDS = Array.from({ length: 300 }, (_, nth) => `word${nth}`)

/** Pages of one site, which repeat themselves and each other. */
function pagesOf(random: SeededRandom): Page[] {
  const sentences = Array.from({ length: 60 }, () => Array.from({ length: 12 }, () => random.pick(WORDS)).join(' '))
  return Array.from({ length: 120 }, (_, nth) => ({
    id: `/${nth}`,
    body: Array.from({ length: 20 }, () => random.pick(sentences)).join('\n'),
  }))
}

function segmentBytes(folder: string): number {
  const segments = path.join(folder, 'segments')
  return readdirSync(segments).reduce((sum, name) => sum + statSync(path.join(segments, name)).size, 0)
}

test('packRecords makes an index smaller at the next compaction, and back, and changes no answer', async () => {
  await withSeed('packed records', async (seed) => {
    const random = new SeededRandom(seed)
    const folder = newPath()
    const pages = pagesOf(random)
    const phrases = Array.from({ length: 40 }, () => {
      const words = random.pick(pages).body.split(/\s/)
      const at = random.int(words.length - 3)
      return `"${words.slice(at, at + random.between(2, 3)).join(' ')}"`
    })
    const answers: unknown[] = []
    const bytes: number[] = []
    for (const packRecords of [false, true, true, false]) {
      const options = {
        key: 'id',
        fields: { body: {} },
        store: false,
        workload: false,
        upkeep: { packRecords },
      } as const
      const index = await Freshdex.open<Page>(folder, options)
      if (answers.length === 0) await index.write({ put: pages })
      await index.compact()
      answers.push(phrases.map((phrase) => index.search(phrase).hits.map(({ key, score }) => [key, score])))
      expect((await index.check()).ok).toBe(true)
      await index.close()
      bytes.push(segmentBytes(folder))
    }
    const [plain, packed, packedStill, plainAgain] = bytes as [number, number, number, number]
    expect(packed).toBeLessThan(0.8 * plain)
    expect(packedStill).toBe(packed)
    expect(plainAgain).toBe(plain)
    for (const found of answers) expect(found).toEqual(answers[0])
    // Nearly all of these pages have all sentences.
    expect((answers[0] as unknown[][]).every(({ length }) => length > 0)).toBe(true)
  })
})
