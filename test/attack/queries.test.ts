/**
 * Random queries of every kind, typed and as text: none fails, and a share of the answers is compared with a brute
 * force. FRESHDEX_QUERIES says how many are asked, a tenth of them compared.
 */
import { Freshdex, type Query } from 'freshdex'
import { expect, test } from 'vitest'
import { CONFIGURATIONS } from '../model/configurations.js'
import { editDocument, generateDocument, generateKey } from '../model/document-generator.js'
import { HitOrder } from '../model/hit-order.js'
import { type NaiveDocument, NaiveIndex, type NaiveKey } from '../model/naive-index.js'
import { QueryCheck } from '../model/query-check.js'
import { generateQuery, renderQuery } from '../model/query-generator.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const QUERIES = Number(process.env.FRESHDEX_QUERIES ?? rounds(6_000, 1_000_000))
const DOCUMENTS = 60
const COMPARED = 0.1

test('random queries are answered as a brute force answers them', async () => {
  await withSeed('attacking queries', async (seed) => {
    const random = new SeededRandom(seed)
    const counts = { asked: 0, compared: 0, matched: 0 }
    for (const configure of CONFIGURATIONS) {
      const configuration = configure(random)
      const index = await Freshdex.open<NaiveDocument>(':memory:', configuration.options)
      const twin = new NaiveIndex(configuration.twin)
      const order = new HitOrder()
      const write = async (put: readonly NaiveDocument[]) => {
        const distinct = [...new Map(put.map((document) => [document.id, document])).values()]
        for (const document of distinct) if (twin.put(document) === 'added') order.added(document.id as NaiveKey)
        await index.write({ put: distinct })
      }
      const anew = () => generateDocument(random, configuration, generateKey(random))
      await write(Array.from({ length: DOCUMENTS }, anew))
      await index.compact()
      const known = twin.keys().map((key) => twin.document(key) as NaiveDocument)
      await write(
        random
          .shuffle(known)
          .slice(0, 15)
          .map((document) => editDocument(random, configuration, document)),
      )
      if (configuration.weight === undefined) {
        const { hits } = index.search({ not: { word: 'thiswordisnowhere' } }, { limit: 10_000 })
        order.learn(hits.map(({ key }) => key))
      }
      const view = { reader: index, twin, order }
      const check = new QueryCheck(random, configuration)
      const fields = configuration.twin.fields.map(({ name }) => name)
      const hasText = (configuration.options.store ?? true) === true
      const source = { random, twin, shape: configuration.shape, fields }
      for (let nth = 0; nth < QUERIES / CONFIGURATIONS.length; nth++) {
        const query = generateQuery(source)
        counts.asked++
        if (random.chance(COMPARED)) {
          counts.compared++
          const found = check.compare(view, query, { limit: random.pick([1, 10, 10_000]) })
          expect(found, `query ${counts.asked}`).toBeUndefined()
        } else {
          const form = renderQuery(random, query, 'and') ?? (query as Query)
          if (index.search(form, { limit: 5, snippet: hasText && random.chance(0.02) }).total > 0) counts.matched++
        }
      }
      expect((await index.check()).faults).toEqual([])
      await index.close()
    }
    if (process.env.FRESHDEX_QUERIES !== undefined) console.info(`seed ${seed}:`, counts)
    expect(counts.matched).toBeGreaterThan(counts.asked * 0.1)
  })
})
