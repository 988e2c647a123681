/** Opens and closes an index again and again in many ways, then reports what the process held, and when. */
import { Freshdex } from 'freshdex'
import { openFiles, residentBytes, threads } from './resources.mjs'

const CYCLES = 10_000
const WARM = 50
const SAMPLE_EVERY = 500

const page = (nth) => ({
  id: nth,
  title: `page ${nth}`,
  body: `some words of page ${nth}\nand a second line ${nth % 7}`,
})
const analyzer = { name: 'blanks', version: '1', analyze: (text) => text.split(/\s+/) }

async function cycle(nth) {
  const options = { key: 'id', fields: { title: {}, body: {} }, ...(nth % 11 === 0 ? { analyzer } : {}) }
  const index = await Freshdex.open(':memory:', options)
  if (nth % 2 === 0) await index.write({ put: [page(1), page(2), page(nth + 3)] })
  if (nth % 3 === 0) index.search('words OR secon*', { docs: true, explain: nth % 2 === 0 })
  if (nth % 5 === 0) {
    const snapshot = index.snapshot()
    await index.write({ put: [page(2)], remove: [1] })
    snapshot.search('second')
    if (nth % 10 === 0) snapshot.close()
  }
  if (nth % 7 === 0) void index.write({ put: [page(9)] })
  if (nth % 13 === 0) await index.compact()
  if (nth % 17 === 0) await index.write({ put: [{ id: 1, body: 5 }] }).catch(() => {})
  await index.close()
}

const holdings = () => ({ files: openFiles(), threads: threads() })

const report = { rss: [] }
for (let nth = 0; nth < CYCLES; nth++) {
  if (nth === WARM) report.warm = holdings()
  await cycle(nth)
  if ((nth + 1) % SAMPLE_EVERY === 0) report.rss.push({ cycles: nth + 1, bytes: await residentBytes() })
}
report.end = holdings()
console.log(JSON.stringify(report))
