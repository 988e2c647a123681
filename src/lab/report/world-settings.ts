import type { QualitySpec } from '../experiments/quality-spec.js'

/** What was replayed, as the reports of all replays say it. */
export interface ReplayedWorld {
  readonly spec: QualitySpec
  readonly data: string
  readonly pages: number
  readonly steps: number
  readonly queries: number
}

export function worldSettings({ spec, data, pages, steps, queries }: ReplayedWorld): (readonly [string, string])[] {
  return [
    ['data', data],
    ['scoring', spec.scoring],
    ['pages', `${pages} (${spec.pages === 'always' ? 'there at every step' : 'all'})`],
    ['steps', String(steps)],
    ['queries', String(queries)],
    ['seed', String(spec.seed)],
  ]
}
