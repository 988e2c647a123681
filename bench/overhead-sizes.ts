/**
 * How does the cost of the prioritizer depend on the size of writes, on whether pages are new, and on the number of
 * queries? CPU time of processes that write generated pages: with everything on, without what measures, and without a
 * prioritizer.
 *
 * Claim: none. Texts of a generator say how a cost grows; what it is in use, `overhead` says.
 */
import { cpus, loadavg } from 'node:os'
import type { Bench } from './bench.js'
import { runProgram } from './child-process.js'
import { busynessOf, differencesOf, medianOf, quartilesOf } from './experiment-parts.js'
import { CONTENDERS, type Contender } from './overhead-contenders.js'
import { warnIfBusy } from './overhead-runs.js'
import type { SizeSpec } from './sizes-process.js'

type Case = Pick<SizeSpec, 'batch' | 'kind' | 'queries'>

const QUERIES = 3000
const CASES: Readonly<Record<string, Case>> = {
  '1 revision a write': { kind: 'revisions', batch: 1, queries: QUERIES },
  '10 revisions': { kind: 'revisions', batch: 10, queries: QUERIES },
  '100 revisions': { kind: 'revisions', batch: 100, queries: QUERIES },
  '1,000 revisions': { kind: 'revisions', batch: 1000, queries: QUERIES },
  '1,000 new pages': { kind: 'new', batch: 1000, queries: QUERIES },
  '100 revisions, 1,000 queries': { kind: 'revisions', batch: 100, queries: 1000 },
  '100 revisions, 10,000 queries': { kind: 'revisions', batch: 100, queries: 10_000 },
  '100 revisions, 100,000 queries': { kind: 'revisions', batch: 100, queries: 100_000 },
}
/** Of what plain writes take: wider differences tell nothing. */
const WIDEST = 0.1

export const overheadSizes: Bench = {
  name: 'overhead-sizes',
  question: 'How does what the prioritizer adds depend on the size of writes, new pages, and the number of queries?',
  isGenerated: true,
  options: {
    runs: { kind: 'count', default: 3, help: 'of each contender, taking turns' },
    pages: { kind: 'count', default: 5000, help: 'of the index' },
    written: { kind: 'count', default: 2000, help: 'pages of a replay' },
  },

  async run(request) {
    const [pages, written] = [request.count('pages'), request.count('written')]
    const loadBefore = loadavg()[0]!
    const loads: number[] = []
    const rows: Record<string, object> = {}
    const [plain, added]: [number[], number[]] = [[], []]
    for (const [name, one] of Object.entries(CASES)) {
      request.progress(name)
      const us: Record<Contender, number[]> = { on: [], off: [], bare: [] }
      for (let run = 0; run < request.count('runs'); run++) {
        for (const at of CONTENDERS.keys()) {
          const contender = CONTENDERS[(at + run) % CONTENDERS.length]!
          us[contender].push(runProgram<number>('sizes-process', { contender, pages, written, ...one }))
          loads.push(loadavg()[0]!)
        }
      }
      const differences = differencesOf(us.on, us.bare)
      const { median, p25, p75 } = quartilesOf(differences)
      rows[name] = {
        ...{ onUs: medianOf(us.on), offUs: medianOf(us.off), bareUs: medianOf(us.bare) },
        ...{ addedUs: median, addedP25: p25, addedP75: p75, offBeyondBareUs: medianOf(differencesOf(us.off, us.bare)) },
      }
      // Cases differ by much: each by its own median.
      plain.push(...us.bare.map((value) => value / medianOf(us.bare)))
      added.push(...differences.map((value) => (value - median) / medianOf(us.bare)))
    }
    const cores = cpus().length
    const busyness = busynessOf({ cores, loadBefore, loads, steady: plain, differences: added, limit: WIDEST })
    warnIfBusy(request, busyness)
    return { result: { busyness, cases: rows }, isClaimKept: true }
  },
}
