/**
 * Ways to know what a refresh added to the quality of the answers, ΔQ_A: by whole queries or by their words one by one
 * (User-centric crawling, section 5.1); measured by an index as it takes the page in, or exactly, from whole answer lists.
 */
export const GAIN_ESTIMATORS = ['single', 'full', 'single-exact', 'full-exact'] as const

export type GainEstimator = (typeof GAIN_ESTIMATORS)[number]
