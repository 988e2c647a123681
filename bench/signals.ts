/**
 * What does it cost to import a sitemap? A generated one, of half as many bytes a page as the protocol allows at most,
 * read as a stream: importing it must not take the memory that holding it would.
 *
 * Claim: each half of the pages is what the sitemap says, changed or not, and known the second time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Freshdex, type SignalImportReport } from 'freshdex'
import type { Bench } from './bench.js'

const PIECE_BYTES = 64 * 1024
const BATCH = 10_000
const START = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

interface Page {
  url: string
  body: string
}

export const signals: Bench = {
  name: 'signals',
  question: 'What does it cost to import a sitemap as large as sitemaps get, and larger?',
  isGenerated: true,
  options: {
    pages: { kind: 'count', default: 100_000, help: 'pages of the sitemap, all of them documents' },
    languages: { kind: 'count', default: 4, help: 'links to translations of each page' },
  },

  async run(request) {
    const [pages, languages] = [request.count('pages'), request.count('languages')]
    await using index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { body: {} } })
    for (let from = 0; from < pages; from += BATCH) {
      const length = Math.min(BATCH, pages - from)
      const put = Array.from({ length }, (_, nth) => ({ url: urlOf(from + nth), body: 'x' }))
      await index.write({ put }, { at: START })
      request.progress(`${from + length} documents`)
    }
    const sitemap = { bytes: 0 }
    const first = await timed(() => index.refresh.importSignals({ sitemap: counted(pages, languages, sitemap) }))
    const again = await timed(() => index.refresh.importSignals({ sitemap: counted(pages, languages, { bytes: 0 }) }))
    const half = Math.floor(pages / 2)
    const isClaimKept =
      isSaid(first.report, { signals: half, repeated: 0, unchanged: pages - half }) &&
      isSaid(again.report, { signals: 0, repeated: half, unchanged: pages - half })
    const { ms: importMs, peakMegabytes, delayMs } = first
    const megabytes = sitemap.bytes / 1e6
    const result = { pages, megabytes, importMs, againMs: again.ms, microsecondsPerPage: (1000 * importMs) / pages }
    return { result: { ...result, peakMegabytes, delayMs }, isClaimKept }
  },
}

function isSaid(report: SignalImportReport, expected: Partial<SignalImportReport>): boolean {
  return Object.entries(expected).every(([name, value]) => report[name as keyof SignalImportReport] === value)
}

const urlOf = (page: number) => `https://site.example/section-${page % 97}/page-${page}`

async function* counted(pages: number, languages: number, told: { bytes: number }): AsyncGenerator<Uint8Array> {
  let text = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
  for (let page = 0; page <= pages; page++) {
    text += page < pages ? entry(page, languages) : '</urlset>\n'
    if (text.length < PIECE_BYTES && page < pages) continue
    const piece = Buffer.from(text)
    told.bytes += piece.length
    yield piece
    text = ''
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function entry(page: number, languages: number): string {
  const lastmod = new Date(START + (page % 2 === 1 ? HOUR_MS : -HOUR_MS)).toISOString()
  const links = Array.from(
    { length: languages },
    (_, nth) => `<xhtml:link rel="alternate" hreflang="l${nth}" href="${urlOf(page)}?language=${nth}"/>\n`,
  )
  return `<url><loc>${urlOf(page)}</loc><lastmod>${lastmod}</lastmod>\n${links.join('')}</url>\n`
}

async function timed(work: () => Promise<SignalImportReport>) {
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const report = await work()
  const ms = performance.now() - start
  delay.disable()
  clearInterval(watch)
  return { report, ms, peakMegabytes: (peak - before) / 1e6, delayMs: delay.max / 1e6 }
}
