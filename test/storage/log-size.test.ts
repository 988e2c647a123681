/** SQLite's own log stays small, whatever is written and however small the writes are. */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { expect, it } from 'vitest'
import { rounds } from '../support/rounds.js'
import { OPTIONS, type Page } from './specimen.js'
import { newPath } from './temporary-folder.js'

const MOST_BYTES = 40 * 1024 * 1024

const STREAMS: Readonly<Record<string, (index: Freshdex<Page>, nth: number) => unknown>> = {
  writes: (index, nth) => index.write({ put: [{ id: nth, title: `t${nth}`, body: `word${nth % 97} and ${nth}` }] }),
  'writes of the same document': (index, nth) =>
    index.write({ put: [{ id: 0, title: 'same', body: `version ${nth}` }] }),
  removals: (index, nth) => index.write(nth % 2 === 0 ? { put: [{ id: nth, body: 'here' }] } : { remove: [nth - 1] }),
  observations: (index, nth) => index.refresh.observe(nth % 500, { outcome: 'same' }),
  signals: (index, nth) => index.refresh.signal(nth % 500, { kind: 'feed' }),
  'learnt queries': async (index, nth) => {
    index.search(`word${nth % 97} asked${nth}`)
    await index.workload.flush()
  },
  patches: (index, nth) => index.patch([[nth % 500, { note: nth }]]),
  'pages of the frontier': (index, nth) => index.frontier.add([{ url: `https://example.org/${nth}` }]),
}

it.each(Object.entries(STREAMS))('%s', async (_, step) => {
  const folder = newPath()
  const index = await Freshdex.open<Page>(folder, OPTIONS)
  await index.write({ put: Array.from({ length: 500 }, (_, id) => ({ id, title: `t${id}`, body: `word${id % 97}` })) })
  index.workload.record('word1')
  const log = path.join(folder, 'catalog.db-wal')
  const sizes: number[] = []
  for (let nth = 0; nth < rounds(2500, 30_000); nth++) {
    await step(index, nth)
    if (nth % 20 === 0 && existsSync(log)) sizes.push(statSync(log).size)
  }
  expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES)
  expect((await index.check()).ok).toBe(true)
  await index.close()
})
