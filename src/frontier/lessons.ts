/**
 * What was learnt from pages fetched from the frontier: which scores to expect of others, how improvable queries are,
 * the impact of pages by their inlinks alone (Crawl ordering by search impact, sections 5.2, 5.4 and 6.1), and how far
 * expected gains can be trusted. The latest observations are kept, and fits are made from them when asked for.
 *
 * Bytes: MessagePack of { format: 1, pairs, improvements, impacts, gains, hosts }; all but the last are [rows ever
 * added, float32 little endian, row after row], hosts is a list of [host, pages, scores, sum of scores]. Bytes of an
 * older version have no gains.
 */
import { Packr } from 'msgpackr'
import { PAIR_FEATURES } from './impact/expected-score.js'
import { type CalibratedGain, GainCalibration } from './impact/gain-calibration.js'
import { type Improvability, ImprovabilityFit, UNKNOWN_IMPROVABILITY } from './impact/neediness.js'
import { fitQuadratic, type Quadratic } from './impact/query-independent.js'
import { growTree, type RegressionTree } from './impact/regression-tree.js'
import { LatestRows } from './latest-rows.js'
import type { ComparedGain } from './learning.js'

const FORMAT = 1
const MAX_ROWS = 4096
/** The most gains that are kept. Old expectations came from other lessons. */
const MAX_GAINS = 1024
const MAX_HOSTS = 4096
/** The fewest pairs of a page and a query from which a tree is grown. */
const FEWEST_PAIRS = 100
/** The fewest pages to which the quadratic is fitted. */
const FEWEST_PAGES = 30
const MIN_LEAF_ROWS = 10

const WIDTH = PAIR_FEATURES.length

export interface HostLessons {
  /** Pages of the host that were fetched from the frontier. */
  readonly pages: number
  /** The mean score of these pages over the queries that they match; 0 for none. */
  readonly meanScore: number
}

interface HostSums {
  readonly pages: number
  readonly scores: number
  readonly sum: number
}

const packr = new Packr({ useRecords: false, variableMapSize: true, copyBuffers: true })
const NO_HOST: HostLessons = { pages: 0, meanScore: 0 }

export class Lessons {
  /** A row: the features of a page and a query, then the score. */
  readonly #pairs: LatestRows
  /** A row: the mean score of a query before, and how many fetched pages are among its best answers. */
  readonly #improvements: LatestRows
  /** A row: the importance of a page, and its impact. */
  readonly #impacts: LatestRows
  /** A row: the expected ΔQ_A of a page, the measured one, and 1 if the expectation came from a tree. */
  readonly #gains: LatestRows
  readonly #hosts: Map<string, HostSums>
  #tree: RegressionTree | undefined
  #improvability: Improvability | undefined
  #quadratic: Quadratic | undefined
  #calibration = new GainCalibration()
  #isFitted = false

  constructor(from?: Lessons) {
    this.#pairs = from === undefined ? new LatestRows(WIDTH + 1, MAX_ROWS) : from.#pairs.copy()
    this.#improvements = from === undefined ? new LatestRows(2, MAX_ROWS) : from.#improvements.copy()
    this.#impacts = from === undefined ? new LatestRows(2, MAX_ROWS) : from.#impacts.copy()
    this.#gains = from === undefined ? new LatestRows(3, MAX_GAINS) : from.#gains.copy()
    this.#hosts = new Map(from === undefined ? [] : from.#hosts)
  }

  /** Pairs of a page and a query that are remembered. */
  get pairs(): number {
    return this.#pairs.rows
  }

  /** Pages learnt from so far. */
  get pages(): number {
    return this.#impacts.added
  }

  get memoryBytes(): number {
    const tables = [this.#pairs, this.#improvements, this.#impacts, this.#gains]
    return tables.reduce((sum, { memoryBytes }) => sum + memoryBytes, this.#hosts.size * 120)
  }

  /** `features` as writePairFeatures writes them. `score`: what the page scored once fetched, 0 without a match. */
  addPair(features: Float64Array, score: number): void {
    const row = new Float64Array(WIDTH + 1)
    row.set(features.subarray(0, WIDTH))
    row[WIDTH] = score
    this.#pairs.add(row)
    this.#isFitted = false
  }

  addImprovement(meanScoreBefore: number, improvement: number): void {
    this.#improvements.add([meanScoreBefore, improvement])
    this.#isFitted = false
  }

  /** `isByTree`: whether the expected gain is based on scores that a tree predicted. */
  addGain({ expected, measured }: ComparedGain, isByTree: boolean): void {
    this.#gains.add([expected, measured, isByTree ? 1 : 0])
    this.#isFitted = false
  }

  /** Adds a fetched page: its scores for the queries that it matches, and its impact. */
  addPage(host: string, scores: readonly number[], importance: number, impact: number): void {
    this.#impacts.add([importance, impact])
    const { pages, scores: count, sum } = this.#hosts.get(host) ?? { pages: 0, scores: 0, sum: 0 }
    const added = scores.reduce((total, score) => total + score, 0)
    // The host seen last is moved to the end of the map: the first one is dropped when there are too many.
    this.#hosts.delete(host)
    this.#hosts.set(host, { pages: pages + 1, scores: count + scores.length, sum: sum + added })
    if (this.#hosts.size > MAX_HOSTS) this.#hosts.delete(this.#hosts.keys().next().value as string)
    this.#isFitted = false
  }

  host(name: string): HostLessons {
    const sums = this.#hosts.get(name)
    return sums === undefined ? NO_HOST : { pages: sums.pages, meanScore: sums.scores > 0 ? sums.sum / sums.scores : 0 }
  }

  /** Predicts scores; undefined before there are enough pairs. */
  get tree(): RegressionTree | undefined {
    this.#fit()
    return this.#tree
  }

  get improvability(): Improvability {
    this.#fit()
    return this.#improvability ?? UNKNOWN_IMPROVABILITY
  }

  /** Predicts impacts by inlinks; undefined before there are enough pages. */
  get quadratic(): Quadratic | undefined {
    this.#fit()
    return this.#quadratic
  }

  /** How far an expected gain of this size can be trusted. */
  calibration(expected: number): CalibratedGain {
    this.#fit()
    return this.#calibration.of(expected)
  }

  /** The expected gains of pages, each times the factor of its size. */
  calibrated(expected: Float64Array): Float64Array {
    this.#fit()
    return expected.map((gain) => (gain === 0 ? 0 : gain * this.#calibration.of(gain).factor))
  }

  pack(): Uint8Array {
    const rows = (latest: LatestRows) => [latest.added, latest.bytes()]
    const hosts = Array.from(this.#hosts, ([host, { pages, scores, sum }]) => [host, pages, scores, sum])
    const packed = packr.pack({
      format: FORMAT,
      ...{ pairs: rows(this.#pairs), improvements: rows(this.#improvements), impacts: rows(this.#impacts) },
      ...{ gains: rows(this.#gains), hosts },
    })
    return new Uint8Array(packed)
  }

  /** Undefined for damaged bytes; empty lessons for no bytes at all. */
  static unpack(bytes: unknown): Lessons | undefined {
    if (!(bytes instanceof Uint8Array)) return undefined
    const lessons = new Lessons()
    if (bytes.length === 0) return lessons
    try {
      return lessons.#restore(packr.unpack(bytes)) ? lessons : undefined
    } catch {
      return undefined
    }
  }

  #restore(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    const { format, pairs, improvements, impacts, gains, hosts } = value as Record<string, unknown>
    if (format !== FORMAT || !Array.isArray(hosts)) return false
    for (const host of hosts as unknown[]) {
      if (!Array.isArray(host) || typeof host[0] !== 'string' || !host.slice(1, 4).every(Number.isFinite)) return false
      this.#hosts.set(host[0], { pages: host[1], scores: host[2], sum: host[3] })
    }
    const restored = (latest: LatestRows, rows: unknown) => Array.isArray(rows) && latest.restore(rows[1], rows[0])
    return (
      this.#hosts.size <= MAX_HOSTS &&
      restored(this.#pairs, pairs) &&
      restored(this.#improvements, improvements) &&
      restored(this.#impacts, impacts) &&
      (gains === undefined || (restored(this.#gains, gains) && this.#areGains()))
    )
  }

  /** Whether all gains are valid: the fit would refuse others. */
  #areGains(): boolean {
    return [0, 1].every((column) => this.#gains.column(column).every((gain) => gain >= 0))
  }

  #fit(): void {
    if (this.#isFitted) return
    this.#isFitted = true
    this.#tree = this.#pairs.rows < FEWEST_PAIRS ? undefined : this.#grow()
    const fit = new ImprovabilityFit(MAX_ROWS)
    const [before, improvements] = [this.#improvements.column(0), this.#improvements.column(1)]
    before.forEach((meanScore, row) => {
      fit.add(meanScore, improvements[row]!)
    })
    this.#improvability = fit.fit()
    const isEnough = this.#impacts.rows >= FEWEST_PAGES
    this.#quadratic = isEnough ? fitQuadratic(this.#impacts.column(0), this.#impacts.column(1)) : undefined
    this.#calibration = this.#calibrate()
  }

  /** Only gains that were expected in the present way count: by a tree, or without one. */
  #calibrate(): GainCalibration {
    const calibration = new GainCalibration()
    const [expected, measured, byTree] = [0, 1, 2].map((column) => this.#gains.column(column)) as Float64Array[]
    expected!.forEach((gain, row) => {
      if ((byTree![row] === 1) === (this.#tree !== undefined)) calibration.note(gain, measured![row]!)
    })
    return calibration
  }

  #grow(): RegressionTree {
    const rows = this.#pairs.rows
    const features = new Float64Array(rows * WIDTH)
    for (let feature = 0; feature < WIDTH; feature++) {
      this.#pairs.column(feature).forEach((value, row) => {
        features[row * WIDTH + feature] = value
      })
    }
    return growTree(features, this.#pairs.column(WIDTH), WIDTH, { minLeafRows: MIN_LEAF_ROWS })
  }
}
