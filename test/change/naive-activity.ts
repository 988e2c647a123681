/**
 * The clocks of sections once more, as they are defined and without any haste: each number is summed over all visits
 * and all periods.
 */
import type { SectionVisit } from '../../src/change/section-activity.js'

type ElapsedMs = (section: number, fromMs: number, toMs: number) => number

interface Period {
  readonly beginMs: number
  readonly endMs: number
}

export function twinClocks(parents: readonly number[], visits: readonly SectionVisit[]): ElapsedMs {
  const periods = periodsOf(visits)
  let activity = parents.map(() => periods.map(() => 1))
  for (let round = 0; round < 2; round++) activity = learnt(parents, visits, periods, activity)
  const start = periods[0]!.beginMs
  const end = periods.at(-1)!.endMs
  return (section, fromMs, toMs) => {
    let elapsed = overlap({ beginMs: Number.NEGATIVE_INFINITY, endMs: start }, fromMs, toMs)
    for (const [nth, period] of periods.entries()) elapsed += activity[section]![nth]! * overlap(period, fromMs, toMs)
    return elapsed + overlap({ beginMs: end, endMs: Number.POSITIVE_INFINITY }, fromMs, toMs)
  }
}

/** At most 64 of them: to the next time of a visit, or to that by which the next 64th of the visits was made. */
function periodsOf(visits: readonly SectionVisit[]): Period[] {
  const times = [...new Set(visits.map(({ toMs }) => toMs))].sort((a, b) => a - b)
  let ends = times
  if (times.length > 64) {
    const made = (atMs: number) => visits.filter(({ toMs }) => toMs <= atMs).length
    const byThen = Array.from({ length: 64 }, (_, nth) =>
      times.find((atMs) => 64 * made(atMs) >= (nth + 1) * visits.length),
    )
    ends = [...new Set(byThen as number[])]
  }
  const first = Math.min(ends[0]!, ...visits.map(({ fromMs }) => fromMs))
  return ends.map((endMs, nth) => ({ beginMs: nth === 0 ? first : ends[nth - 1]!, endMs }))
}

function overlap({ beginMs, endMs }: Period, fromMs: number, toMs: number): number {
  return Math.max(0, Math.min(endMs, toMs) - Math.max(beginMs, fromMs))
}

/** By section and period: changes found, and six more as of the parent, by changes expected, and six more. */
function learnt(
  parents: readonly number[],
  visits: readonly SectionVisit[],
  periods: readonly Period[],
  before: readonly (readonly number[])[],
): number[][] {
  const isIn = (section: number, whole: number): boolean =>
    section === whole || (section !== 0 && isIn(parents[section]!, whole))
  const hereOf = ({ section, ratePerMs, fromMs, toMs }: SectionVisit, nth: number) =>
    ratePerMs * before[section]![nth]! * overlap(periods[nth]!, fromMs, toMs)
  const everywhere = new Map(
    visits.map((visit) => [visit, periods.reduce((sum, _, nth) => sum + hereOf(visit, nth), 0)]),
  )
  const after: number[][] = []
  for (const whole of parents.keys()) {
    after.push(
      periods.map((period, nth) => {
        let [found, expected] = [0, 0]
        for (const visit of visits) {
          if (!isIn(visit.section, whole)) continue
          expected += visit.ratePerMs * overlap(period, visit.fromMs, visit.toMs)
          if (!visit.isChanged) continue
          const all = everywhere.get(visit)!
          // So many changes there were if there was one at all, and this part of them was here.
          found += (all / -Math.expm1(-all)) * (hereOf(visit, nth) / all)
        }
        const above = whole === 0 ? 1 : after[parents[whole]!]![nth]!
        return (found + above) / (expected + 1)
      }),
    )
  }
  return after
}
