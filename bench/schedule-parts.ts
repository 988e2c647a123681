/** The optimal schedule, from the compiled library: the entry does not show it. */
import type * as PoissonModule from '../dist/change/laws/poisson.js'
import type * as UpdateTimesModule from '../dist/change/laws/quasi-deterministic.js'
import type * as DeviationModule from '../dist/lab/experiments/schedule/crawl-schemes.js'
import type * as MixtureModule from '../dist/lab/experiments/schedule/update-mixture.js'
import type * as VanDerCorputModule from '../dist/math/draws.js'
import type * as AllocationModule from '../dist/schedule/allocation.js'
import type * as IdealModule from '../dist/schedule/ideal-times.js'
import type * as SlotsModule from '../dist/schedule/slots.js'
import type * as TableModule from '../dist/schedule/staleness-table.js'
import type * as TimetableModule from '../dist/schedule/timetable.js'

export type { UpdateLaw } from '../dist/change/update-law.js'
export type { IdealCrawls, Phasing } from '../dist/schedule/ideal-times.js'
export type { StalenessTable as Table } from '../dist/schedule/staleness-table.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}

export const { PoissonLaw } = (await load('change/laws/poisson')) as typeof PoissonModule
export const { QuasiDeterministicLaw } = (await load('change/laws/quasi-deterministic')) as typeof UpdateTimesModule
export const { generateMixture } = (await load('lab/experiments/schedule/update-mixture')) as typeof MixtureModule
export const { allocate } = (await load('schedule/allocation')) as typeof AllocationModule
export const { idealCrawls } = (await load('schedule/ideal-times')) as typeof IdealModule
export const { crawlerSlots } = (await load('schedule/slots')) as typeof SlotsModule
export const { StalenessTable } = (await load('schedule/staleness-table')) as typeof TableModule
export const { makeTimetable } = (await load('schedule/timetable')) as typeof TimetableModule
export const { timetableDeviation } = (await load('lab/experiments/schedule/crawl-schemes')) as typeof DeviationModule
export const { vanDerCorput } = (await load('math/draws')) as typeof VanDerCorputModule
