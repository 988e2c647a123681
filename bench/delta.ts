/**
 * What replacing a page costs, over a real stream of page versions, in two ways on two indexes of one process:
 *
 *   delta         write({ put }): the new version is compared with the old one, only what changed is written
 *   removeAndAdd  write({ remove }), then write({ put }): what an engine without comparison has to do
 *
 * The weeks alternate between the two, the first turn going to the other one each week. Time is the wall time of the
 * awaited write() calls: encoding, both threads, publishing. Upkeep runs behind a write and before the next one, so
 * each week ends with an empty write, which waits for it and counts too. New pages and removals are applied as well but
 * timed apart.
 *
 * The stream is applied twice: a write per week (mean per page, shares) and a write per page (latency percentiles).
 */
import { Freshdex, type PresetName } from 'freshdex'
import type { Bench, BenchRequest } from './bench.js'
import { meanOf, medianOf, medianSpread, type Spread, spreadOf } from './percentiles.js'
import { applyWeek, type Mode, WAYS, type Way, type WeekCost } from './replace-ways.js'
import { ANALYZER, type History, inBatches, type Page, pageOptions, readHistory, textBytes } from './snapshot-data.js'
import { wallUs } from './stopwatch.js'

const BATCH = 500
const IDENTICAL_PAGES = 2000
const IDENTICAL_BATCH = 100

export const delta: Bench = {
  name: 'delta',
  question: 'What does it save to compare a page with its old version, beside removing and adding it?',
  options: {
    rounds: { kind: 'count', default: 5, help: 'passes over the stream after a first that warms up; medians count' },
    analyzer: ANALYZER,
    store: { kind: 'choice', choices: ['all', 'none'], default: 'all', help: 'what is stored of a page' },
  },

  async run(request) {
    const history = await readHistory(request.folder)
    const rounds = { batch: [] as Round[], single: [] as Round[] }
    for (let number = 0; number <= request.count('rounds'); number++) {
      request.progress(number === 0 ? 'warming up' : `round ${number} of ${request.count('rounds')}`)
      const batch = await playRound(request, history, 'batch')
      const single = await playRound(request, history, 'single')
      if (number === 0) continue
      rounds.batch.push(batch)
      rounds.single.push(single)
    }
    const all = [...rounds.batch, ...rounds.single]
    return { result: summary(history, rounds), isClaimKept: all.every(({ isSame }) => isSame) }
  },
}

interface Round {
  readonly costs: Readonly<Record<Way, WeekCost[]>>
  readonly identical: { readonly single: number; readonly batched: number }
  readonly emptyWrite: number
  /** Both indexes ended with the same documents and tokens, and check() found no fault. */
  readonly isSame: boolean
}

async function playRound(request: BenchRequest, history: History, mode: Mode): Promise<Round> {
  const delta = await openWithFirstWeek(request, history)
  const removeAndAdd = await openWithFirstWeek(request, history)
  const indexes = { delta, removeAndAdd }
  const costs: Record<Way, WeekCost[]> = { delta: [], removeAndAdd: [] }
  for (const [number, week] of history.weeks.entries()) {
    if (number === 0) continue
    const turns = number % 2 === 0 ? WAYS : WAYS.toReversed()
    for (const way of turns) costs[way].push(await applyWeek(indexes[way], way, mode, week))
  }
  const identical = await rewriteIdentical(delta, history.final)
  const emptyWrite = medianOf(await eachInTurn(Array(100).fill({}), (batch) => wallUs(() => delta.write(batch))))
  const isSame = await areSame(delta, removeAndAdd)
  await delta.close()
  await removeAndAdd.close()
  return { costs, identical, emptyWrite, isSame }
}

async function openWithFirstWeek(request: BenchRequest, { weeks }: History): Promise<Freshdex<Page>> {
  const settings = pageOptions(request.word<PresetName>('analyzer'))
  const index = await Freshdex.open<Page>(':memory:', { ...settings, store: request.word('store') === 'all' })
  for (const put of inBatches(weeks[0]!.added, BATCH)) await index.write({ put })
  await index.write({})
  return index
}

/** Microseconds per page to put pages that are there already, one by one and a hundred at a time. */
async function rewriteIdentical(index: Freshdex<Page>, final: readonly Page[]): Promise<Round['identical']> {
  const pages = final.slice(0, IDENTICAL_PAGES)
  const rewrite = async (put: readonly Page[]) => {
    const { unchanged } = await index.write({ put })
    if (unchanged !== put.length) throw new Error(`${put.length} pages written again, ${unchanged} of them unchanged`)
  }
  const single = meanOf(await eachInTurn(pages, (page) => wallUs(() => rewrite([page]))))
  const batches = [...inBatches(pages, IDENTICAL_BATCH)]
  const batched = await eachInTurn(batches, (batch) => wallUs(() => rewrite(batch)))
  return { single, batched: sum(batched) / pages.length }
}

async function eachInTurn<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number[]> {
  const results: number[] = []
  for (const item of items) results.push(await work(item))
  return results
}

async function areSame(a: Freshdex<Page>, b: Freshdex<Page>): Promise<boolean> {
  const [left, right] = [a.stats(), b.stats()]
  const reports = [await a.check(), await b.check()]
  const counts = ({ documents, fields }: typeof left) => JSON.stringify({ documents, fields })
  return counts(left) === counts(right) && reports.every(({ ok }) => ok)
}

function summary(history: History, rounds: { readonly batch: Round[]; readonly single: Round[] }): object {
  const replaced = history.weeks.slice(1).flatMap((week) => week.replaced)
  const costs = Object.fromEntries(WAYS.map((way) => [way, costOf(rounds, way, replaced.length)])) as Record<Way, Cost>
  const ratio = (name: keyof Cost) => costs.removeAndAdd[name] / costs.delta[name]
  const stream = (way: Way) => costs[way].cpuMean * replaced.length + costs[way].addedAndGoneCpuMs * 1000
  const shares = rounds.batch[0]!.costs.delta
  return {
    pages: history.weeks[0]!.added.length,
    weeks: history.weeks.length,
    replacedPages: replaced.length,
    replacedTextMB: textBytes(replaced) / 1e6,
    textBytesPerPage: textBytes(replaced) / replaced.length,
    usPerPage: costs.delta,
    removeAndAdd: costs.removeAndAdd,
    ratioToRemoveAndAdd: ratio('mean'),
    ratioOfCpu: ratio('cpuMean'),
    ratioOfCpuWithAddedAndGone: stream('removeAndAdd') / stream('delta'),
    ratioOfSinglePages: ratio('singleMean'),
    roundRatios: rounds.batch.map(({ costs }) => timeOf(costs.removeAndAdd) / timeOf(costs.delta)),
    tokensTokenizedShare: total(shares, 'tokenized') / total(shares, 'tokens'),
    postingsWrittenShare: total(shares, 'postingsWritten') / total(shares, 'postings'),
    rewrittenPages: total(shares, 'rewritten'),
    identicalUsPerPage: medianOf(rounds.single.map(({ identical }) => identical.single)),
    identicalBatchedUsPerPage: medianOf(rounds.single.map(({ identical }) => identical.batched)),
    emptyWriteUs: medianOf(rounds.single.map(({ emptyWrite }) => emptyWrite)),
  }
}

/** Microseconds per page. `mean` and `cpuMean`: a write per week; the others: a write per page. */
interface Cost extends Spread {
  readonly cpuMean: number
  readonly singleMean: number
  /** For the new and removed pages of the whole stream: folds that replacements brought near may fall due here. */
  readonly addedAndGoneMs: number
  readonly addedAndGoneCpuMs: number
}

function costOf(rounds: { readonly batch: Round[]; readonly single: Round[] }, way: Way, pages: number): Cost {
  const single = rounds.single.map(({ costs }) => costs[way])
  const batch = rounds.batch.map(({ costs }) => costs[way])
  return {
    ...medianSpread(single.map((weeks) => spreadOf(weeks.flatMap(({ latencies }) => latencies)))),
    mean: medianOf(batch.map(timeOf)) / pages,
    cpuMean: medianOf(batch.map((weeks) => total(weeks, 'cpuUs'))) / pages,
    singleMean: medianOf(single.map(timeOf)) / pages,
    addedAndGoneMs: medianOf(batch.map((weeks) => total(weeks, 'othersWallUs'))) / 1000,
    addedAndGoneCpuMs: medianOf(batch.map((weeks) => total(weeks, 'othersCpuUs'))) / 1000,
  }
}

function timeOf(weeks: readonly WeekCost[]): number {
  return total(weeks, 'wallUs')
}

function total(weeks: readonly WeekCost[], name: Exclude<keyof WeekCost, 'latencies'>): number {
  return sum(weeks.map((week) => week[name]))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
