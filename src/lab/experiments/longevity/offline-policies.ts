/**
 * Policies that know beforehand how pages will change (Information longevity, section 3.4): what they do shows what
 * could be won, not what a crawler can do. All but the uniform one refresh a page when the utility of that (Eq. 4)
 * reaches the threshold.
 */

import { poissonUtility } from '../../../change/divergence-curve.js'
import { vanDerCorput } from '../../../math/draws.js'
import { differenceOf, type FragmentHistories, isStatic } from './fragment-histories.js'
import type { NextRefresh, PagePolicy } from './replay.js'

export const OFFLINE_POLICIES = ['uniform', 'fs-s', 'fs-d', 'hs-s', 'hs-d', 'naive-s', 'naive-d'] as const
export type OfflinePolicyName = (typeof OFFLINE_POLICIES)[number]

/** Divergence from the version of step `base`, at step `step`. */
type Divergence = (base: number, step: number) => number

const NEVER = Number.POSITIVE_INFINITY
const never: NextRefresh = () => NEVER

/**
 * `threshold`: T in steps times divergence, for the naive ones a divergence; for the uniform one refreshes of a page
 * per step, at most 1.
 */
export function offlinePolicy(name: OfflinePolicyName, histories: FragmentHistories, threshold: number): PagePolicy {
  if (name === 'uniform') return uniformPolicy(histories, threshold, (page) => !isStatic(histories, page))
  const rule = RULES[name]
  return (page) => (isStatic(histories, page) ? never : rule(histories, page, threshold))
}

/** So many refreshes per step for each page that takes part, at moments that are spread evenly over all of them. */
export function uniformPolicy(
  { atMs }: FragmentHistories,
  refreshesPerStep: number,
  takesPart: (page: number) => boolean,
): PagePolicy {
  return (page) => {
    if (!takesPart(page)) return never
    const phase = vanDerCorput(page)
    // The moments at which phase + f t is a whole number.
    return (step) => {
      for (let next = step + 1; next < atMs.length; next++)
        if (Math.floor(phase + refreshesPerStep * next) > Math.floor(phase + refreshesPerStep * (next - 1))) return next
      return NEVER
    }
  }
}

type Rule = (histories: FragmentHistories, page: number, threshold: number) => NextRefresh

const RULES: Readonly<Record<Exclude<OfflinePolicyName, 'uniform'>, Rule>> = {
  'fs-s': (histories, page, threshold) => {
    const { eagerness } = histories
    const mean = meanDivergence(histories, page)
    return always(firstUseful((age) => mean[age]!, eagerness[page]!, threshold, mean.length - 1))
  },
  'hs-s': (histories, page, threshold) => {
    const rate = changesOf(histories, page) / (histories.atMs.length - 1)
    return always(firstAge((age) => poissonUtility(rate, age) >= threshold, histories.atMs.length - 1))
  },
  'naive-s': (histories, page, threshold) => {
    const mean = meanDivergence(histories, page)
    return always(firstAge((age) => mean[age]! >= threshold, mean.length - 1))
  },
  'fs-d': (histories, page, threshold) =>
    dynamic(fragmentDivergence(histories, page), histories.eagerness[page]!, threshold, histories.atMs.length - 1),
  'hs-d': (histories, page, threshold) =>
    dynamic(wholeDivergence(histories, page), histories.holisticEagerness[page]!, threshold, histories.atMs.length - 1),
  'naive-d': (histories, page, threshold) => {
    const divergence = fragmentDivergence(histories, page)
    const last = histories.atMs.length - 1
    return (base) => base + firstAge((age) => divergence(base, base + age) >= threshold, last - base)
  },
}

/** The same age at each refresh. */
function always(age: number): NextRefresh {
  return (step) => step + age
}

/** By the divergence that did come after each refresh. */
function dynamic(divergence: Divergence, eagerness: number, threshold: number, last: number): NextRefresh {
  return (base) => base + firstUseful((age) => divergence(base, base + age), eagerness, threshold, last - base)
}

/** The first age, in steps, at which U(t) = t D(t) - area reaches the threshold. */
function firstUseful(divergence: (age: number) => number, eagerness: number, threshold: number, most: number): number {
  let [area, before] = [0, 0]
  return firstAge((age) => {
    const after = divergence(age)
    area += (1 - eagerness) * before + eagerness * after
    before = after
    return age * after - area >= threshold
  }, most)
}

function firstAge(isReached: (age: number) => boolean, most: number): number {
  for (let age = 1; age <= most; age++) if (isReached(age)) return age
  return NEVER
}

/** D*(t) by age in steps: the mean over all pairs of steps so far apart. */
function meanDivergence(histories: FragmentHistories, page: number): Float64Array {
  const steps = histories.atMs.length
  const divergence = fragmentDivergence(histories, page)
  const mean = new Float64Array(steps)
  for (let age = 1; age < steps; age++) {
    let total = 0
    for (let base = 0; base + age < steps; base++) total += divergence(base, base + age)
    mean[age] = total / (steps - age)
  }
  return mean
}

/** Steps at which it is not what it was at the one before. */
function changesOf(histories: FragmentHistories, page: number): number {
  const divergence = wholeDivergence(histories, page)
  let changes = 0
  for (let step = 1; step < histories.atMs.length; step++) changes += divergence(step - 1, step)
  return changes
}

function fragmentDivergence(histories: FragmentHistories, page: number): Divergence {
  return (base, step) => differenceOf(histories, histories.differences, page, base, step)
}

/** Holistic: 1 when anything differs. */
function wholeDivergence(histories: FragmentHistories, page: number): Divergence {
  return (base, step) => (differenceOf(histories, histories.differences, page, base, step) > 0 ? 1 : 0)
}
