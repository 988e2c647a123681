/** The terms of a policy's formula in words. The JSON has them by their names in code. */
import { DAY_MS } from '../../base/time.js'
import { percent, plainNumber, timeSpan, wordsOf } from './wording.js'

/** Terms whose names say too little, or too much of how they are computed. */
const WORDS: Readonly<Record<string, string>> = {
  gainIfChanged: 'gain if it has changed',
  utilityDays: 'days of staleness saved',
  changeChance: 'chance of a change',
  ageOfSectionMs: 'age by the pace of its folder',
  sectionGainFactor: 'effect of its folder',
  stakelessShare: 'share of open questions',
  signalledChance: 'chance added by signals',
  unsignalledShare: 'changes without a signal',
  sumDeltaQuality: 'sum of gains',
  sumIntervalMs: 'sum of intervals',
  priorRatePerMs: 'gain expected of any page',
  tau0Ms: 'weight of that, in time',
}

export function termText(name: string): string {
  return WORDS[name] ?? wordsOf(name)
}

/** The unit is at the end of the name. */
export function termValue(name: string, value: number): string {
  if (name.endsWith('PerMs')) return `${plainNumber(value * DAY_MS)} a day`
  if (name.endsWith('Ms')) return timeSpan(value)
  return /(?:Chance|Share|Probability)$/.test(name) ? percent(value) : plainNumber(value)
}

/** `gainIfChanged * utilityDays` is `(gain if it has changed) × (days of staleness saved)`. */
export function formulaText(formula: string): string {
  const words = formula.replaceAll('Math.', '').replaceAll(/[a-z]+[A-Z0-9]\w*/g, (name) => {
    const text = termText(name)
    return text.includes(' ') ? `(${text})` : text
  })
  return words.replaceAll(' * ', ' × ').replaceAll(' / ', ' ÷ ')
}
