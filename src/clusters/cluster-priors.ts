/**
 * What the pages of a cluster say about the change rate of another page of it, above all of one without a history: a
 * gamma prior, by empirical Bayes. A page that was watched for a time T and seen to change X times has the rate (mean ·
 * strength + X) / (strength + T): the prior counts like having watched the page for `strength`.
 *
 * Rates of the pages of a cluster vary around the mean of the cluster, and these around the mean of all. X is taken for
 * Poisson of mean rate · T, so that, with a relative variance κ within clusters and a variance B between them,
 *
 *   Var(X of a page) = m T + κ m² T²,   Var(X of a cluster) = M ΣT + κ (M² + B) ΣT² + B (ΣT)².
 *
 * Both are solved for κ and B from sums over the pages, and the mean of a cluster is shrunk to the mean of all as far
 * as its own is uncertain (Bühlmann and Straub, Glaubwürdigkeit für Schadensätze, 1970). A visit sees one change at
 * most, so rates above the rate of visits are underrated.
 */

import { parameter } from '../base/checks.js'
import { DAY_MS } from '../base/time.js'

export interface RatePrior {
  /** Changes per millisecond; above 0. */
  readonly meanPerMs: number
  /** The prior weighs as much as watching a page for this long. */
  readonly strengthMs: number
}

/** The prior of pages about which nothing is known: one change in a month, with the weight of a month of watching. */
const FALLBACK: RatePrior = { meanPerMs: 1 / (30 * DAY_MS), strengthMs: 30 * DAY_MS }
/** Bounds of κ: pages of a cluster are never taken to be identical, nor to have nothing in common. */
const LEAST_VARIANCE = 0.01
const MOST_VARIANCE = 100

/** Sums over the pages of each cluster, from which priors are made. */
export class ClusterRates {
  readonly #pages: Float64Array
  /** ΣX, ΣT, ΣX², ΣXT and ΣT². */
  readonly #changes: Float64Array
  readonly #watched: Float64Array
  readonly #changesSquared: Float64Array
  readonly #products: Float64Array
  readonly #watchedSquared: Float64Array

  constructor(clusters: number) {
    parameter('clusters', clusters, { min: 0, integer: true })
    const column = () => new Float64Array(clusters)
    this.#pages = column()
    this.#changes = column()
    this.#watched = column()
    this.#changesSquared = column()
    this.#products = column()
    this.#watchedSquared = column()
  }

  /** Adds a page of the cluster. A page that was not watched yet is left out. */
  add(cluster: number, changes: number, watchedMs: number): void {
    parameter('cluster', cluster, { min: 0, max: this.#pages.length - 1, integer: true })
    parameter('changes', changes, { min: 0 })
    parameter('watchedMs', watchedMs, { min: 0 })
    if (watchedMs === 0) return
    this.#pages[cluster]! += 1
    this.#changes[cluster]! += changes
    this.#watched[cluster]! += watchedMs
    this.#changesSquared[cluster]! += changes ** 2
    this.#products[cluster]! += changes * watchedMs
    this.#watchedSquared[cluster]! += watchedMs ** 2
  }

  /**
   * `fallback`: what pages without any neighbour are taken for; the others overrule it as they would overrule any
   * prior.
   */
  priors(fallback: RatePrior = FALLBACK): RatePriors {
    parameter('fallback.meanPerMs', fallback.meanPerMs, { min: 0, aboveMin: true })
    parameter('fallback.strengthMs', fallback.strengthMs, { min: 0, aboveMin: true })
    const watched = sumOf(this.#watched)
    if (watched === 0) return new RatePriors(fallback, [])
    const mean = posteriorRate(fallback, sumOf(this.#changes), watched)
    const within = this.#varianceWithin()
    const between = this.#varianceBetween(mean, within)
    const priors = Array.from(this.#pages, (_, cluster) => this.#priorOf(cluster, mean, within, between))
    return new RatePriors(priorWith(mean, within * (mean ** 2 + between) + between), priors)
  }

  /** κ, pooled over all clusters, as few have enough pages for one of their own. */
  #varianceWithin(): number {
    let [excess, scale] = [0, 0]
    for (let cluster = 0; cluster < this.#pages.length; cluster++) {
      const pages = this.#pages[cluster]!
      if (pages < 2 || this.#changes[cluster] === 0) continue
      const rate = this.#changes[cluster]! / this.#watched[cluster]!
      const squares =
        this.#changesSquared[cluster]! -
        2 * rate * this.#products[cluster]! +
        rate ** 2 * this.#watchedSquared[cluster]!
      // Corrects for the mean being estimated from the same pages.
      excess += (squares * pages) / (pages - 1) - this.#changes[cluster]!
      scale += rate ** 2 * this.#watchedSquared[cluster]!
    }
    // Without any two pages to compare, pages of a cluster are taken to vary as much as exponential rates do.
    return scale === 0 ? 1 : Math.min(Math.max(excess / scale, LEAST_VARIANCE), MOST_VARIANCE)
  }

  /** B. */
  #varianceBetween(mean: number, within: number): number {
    const watchedClusters = this.#watched.filter((watched) => watched > 0).length
    if (watchedClusters < 2) return 0
    const correction = watchedClusters / (watchedClusters - 1)
    let [excess, scale] = [0, 0]
    for (let cluster = 0; cluster < this.#pages.length; cluster++) {
      const watched = this.#watched[cluster]!
      const distance = this.#changes[cluster]! - mean * watched
      excess += distance ** 2 * correction - this.#chanceVariance(cluster, mean, within * mean ** 2)
      scale += watched ** 2 + within * this.#watchedSquared[cluster]!
    }
    return Math.max(0, excess / scale)
  }

  /** The variance of X of a cluster with this mean and this variance of the rates of its pages. */
  #chanceVariance(cluster: number, mean: number, variance: number): number {
    return mean * this.#watched[cluster]! + variance * this.#watchedSquared[cluster]!
  }

  #priorOf(cluster: number, mean: number, within: number, between: number): RatePrior {
    const watched = this.#watched[cluster]!
    const varianceWithin = within * (mean ** 2 + between)
    if (watched === 0) return priorWith(mean, varianceWithin + between)
    const chance = this.#chanceVariance(cluster, mean, varianceWithin) / watched ** 2
    const credibility = between / (between + chance)
    const own = (1 - credibility) * mean + (credibility * this.#changes[cluster]!) / watched
    return priorWith(own, within * own ** 2 + (1 - credibility) * between)
  }
}

class RatePriors {
  /** The prior of a page without a cluster. */
  readonly overall: RatePrior
  readonly #priors: readonly RatePrior[]

  constructor(overall: RatePrior, priors: readonly RatePrior[]) {
    this.overall = overall
    this.#priors = priors
  }

  /** The prior of a page of this cluster; the overall one for no cluster, or for one without pages here. */
  priorOf(cluster: number | undefined): RatePrior {
    return (cluster === undefined ? undefined : this.#priors[cluster]) ?? this.overall
  }
}

/** The rate of a page with this prior after it was watched. */
export function posteriorRate({ meanPerMs, strengthMs }: RatePrior, changes: number, watchedMs: number): number {
  return (meanPerMs * strengthMs + changes) / (strengthMs + watchedMs)
}

/** A gamma distribution of this mean and variance. */
function priorWith(meanPerMs: number, variance: number): RatePrior {
  return { meanPerMs, strengthMs: meanPerMs / variance }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
