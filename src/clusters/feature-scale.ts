/**
 * Makes features comparable: each becomes its distance from the mean in standard deviations. Then each page is scaled
 * to norm 1, as clusters are by direction. The paper leaves the scaling open.
 */
import { type FeatureGroup, featureColumns, PAGE_FEATURES } from './page-features.js'

/** A deviation below this share of the largest value is the rounding error of equal values. */
const LEAST_SPREAD = 1e-12

/** A scale that was learnt from some pages and can be applied to others. */
export interface FeatureScale {
  /** Positions in a row of features. */
  readonly columns: readonly number[]
  /** By position in `columns`, of the pages of which the feature is known. */
  readonly means: Float64Array
  /** 0 for a feature that is equal for all pages, or known of none; such a feature is ignored. */
  readonly deviations: Float64Array
}

export interface ScaledFeatures {
  /** Row after row, `width` numbers each. A page that is average in everything is a row of zeros. */
  readonly vectors: Float64Array
  readonly width: number
}

/** `features`: as learnFeatures() has them. */
export function learnScale(features: Float64Array, group: FeatureGroup = 'combined'): FeatureScale {
  checkRows(features)
  const columns = featureColumns(group)
  const means = new Float64Array(columns.length)
  const deviations = new Float64Array(columns.length)
  columns.forEach((column, at) => {
    const { mean, deviation } = spreadOf(features, column)
    means[at] = mean
    deviations[at] = deviation
  })
  return { columns, means, deviations }
}

/** Scales the features of the pages from which the scale was learnt, or of others. */
export function scaleFeatures(features: Float64Array, { columns, means, deviations }: FeatureScale): ScaledFeatures {
  const pages = checkRows(features)
  const width = columns.length
  const vectors = new Float64Array(pages * width)
  for (let page = 0; page < pages; page++) {
    let squares = 0
    for (let at = 0; at < width; at++) {
      const value = features[page * PAGE_FEATURES + columns[at]!]!
      if (Number.isNaN(value) || deviations[at] === 0) continue
      const scaled = (value - means[at]!) / deviations[at]!
      vectors[page * width + at] = scaled
      squares += scaled ** 2
    }
    if (squares === 0) continue
    const norm = Math.sqrt(squares)
    for (let at = 0; at < width; at++) vectors[page * width + at]! /= norm
  }
  return { vectors, width }
}

function spreadOf(features: Float64Array, column: number): { mean: number; deviation: number } {
  let [known, sum, largest] = [0, 0, 0]
  for (let at = column; at < features.length; at += PAGE_FEATURES) {
    const value = features[at]!
    if (Number.isNaN(value)) continue
    known++
    sum += value
    largest = Math.max(largest, Math.abs(value))
  }
  if (known === 0) return { mean: 0, deviation: 0 }
  const mean = sum / known
  let squares = 0
  for (let at = column; at < features.length; at += PAGE_FEATURES) {
    if (!Number.isNaN(features[at])) squares += (features[at]! - mean) ** 2
  }
  const deviation = Math.sqrt(squares / known)
  return { mean, deviation: deviation > LEAST_SPREAD * largest ? deviation : 0 }
}

function checkRows(features: Float64Array): number {
  if (features.length % PAGE_FEATURES === 0) return features.length / PAGE_FEATURES
  throw new RangeError(`features must hold whole rows of ${PAGE_FEATURES} numbers, received ${features.length} numbers`)
}
