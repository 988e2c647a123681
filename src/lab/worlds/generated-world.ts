/**
 * A world made by chance, with known laws: pages with static, churning and scrolling regions that are updated by
 * Poisson, Pareto, Weibull and quasi-deterministic laws. Everything follows from the options; every page lives by
 * itself, whatever happens to others.
 */

import { numberOption, readOptions } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { WEEK_MS } from '../../base/time.js'
import {
  drawLaw,
  GENERATED_LAWS,
  type GeneratedLawKind,
  GeneratedPage,
  type Motion,
  type Region,
} from './generated-page.js'
import { type AskedQuery, GeneratedWorkload, inventEvent, inventName } from './generated-text.js'
import { Randomness, streamSeed } from './randomness.js'
import type { World, WorldStep } from './world.js'

export interface GeneratedWorldOptions {
  /** Which world, 0 to 2^32 - 1; 1 unless told. */
  readonly seed?: number
  /** Pages of the first step; 1000 unless told. */
  readonly pages?: number
  /** How many steps there are, the first one included; 48 unless told. */
  readonly steps?: number
  /** The time between two steps; a week unless told. */
  readonly stepMs?: number
  /** The time of the first step; 0 unless told. */
  readonly startMs?: number
  /**
   * How pages are shared out by what they have beside static text, in any unit: half static, a third churn, a sixth
   * scroll unless told.
   */
  readonly regions?: Partial<Readonly<Record<Region, number>>>
  /**
   * How moving regions are shared out among laws; as the regions: 6, 3 and 1 for Poisson, Pareto and
   * quasi-deterministic, and 2 for Weibull.
   */
  readonly laws?: Partial<Readonly<Record<GeneratedLawKind, number>>>
  /** Mean intervals lie between these, evenly on a logarithmic scale; half a step and 26 steps unless told. */
  readonly minMeanMs?: number
  readonly maxMeanMs?: number
  /** How likely a page is gone after a step; 0.002 unless told. */
  readonly lossPerStep?: number
  /** New pages in a step, as a share of the first pages; 0.002 unless told. */
  readonly growthPerStep?: number
  /** The pages are shared out among so many hosts, one after the other; 0 unless told: their addresses have none. */
  readonly sites?: number
  /**
   * What moves on a page, by its number, counting from 0 in order of birth; instead of regions, laws and means. Must
   * follow from both.
   */
  readonly motionOf?: (number: number, random: Randomness) => Motion | undefined
}

export interface GeneratedWorld extends World {
  /**
   * What people ask in all of its time, the most frequent first: names and topics of the first pages, and what is news
   * later.
   */
  readonly queries: readonly AskedQuery[]
  /**
   * What they ask in some of its steps if they care for the pages of another draw: number 0 is that of `queries`. The
   * last step does not count.
   */
  asked(draw: number, fromStep: number, toStep: number): AskedQuery[]
  /** What is news at a step, two words each: pages that change at this step mention some of it. */
  events(step: number): readonly string[]
  /** What moves on the first pages, by address; undefined for pages that never change. */
  motions(): Map<string, Motion | undefined>
}

const EVENTS_PER_STEP = 2
const REGIONS = ['static', 'churn', 'scroll'] as const satisfies readonly Region[]
const DEFAULT_REGIONS = { static: 3, churn: 2, scroll: 1 } as const
const DEFAULT_LAWS = { poisson: 6, pareto: 3, weibull: 2, 'quasi-deterministic': 1 } as const

export function generatedWorld(options: GeneratedWorldOptions = {}): GeneratedWorld {
  const settings = settingsOf(options)
  const { seed, pages, startMs } = settings
  const scene = sceneOf(settings)
  const firstPages = () => Array.from({ length: pages }, (_, number) => birth(settings, scene.names, number, startMs))
  const titles = firstPages().map(({ title }) => ({ title }))
  const asked = (draw: number, fromStep: number, toStep: number) => {
    const workload = new GeneratedWorkload(streamSeed(seed, 'queries', draw), titles)
    for (const events of scene.events.slice(fromStep, toStep)) workload.add(events)
    return workload.queries
  }
  return {
    queries: asked(0, 0, settings.steps),
    asked,
    events: (step) => scene.events[step] ?? [],
    motions: () => new Map(firstPages().map(({ url, motion }) => [url, motion])),
    [Symbol.asyncIterator]: () => tell(settings, scene, firstPages()),
  }
}

type Settings = ReturnType<typeof settingsOf>

function settingsOf(options: GeneratedWorldOptions) {
  const known = ['seed', 'pages', 'steps', 'stepMs', 'startMs', 'regions', 'laws', 'minMeanMs', 'maxMeanMs'] as const
  const given = readOptions('world', options, [...known, 'lossPerStep', 'growthPerStep', 'sites', 'motionOf'])
  const stepMs = numberOption('stepMs', given.stepMs, WEEK_MS, { min: 1 })
  const minMeanMs = numberOption('minMeanMs', given.minMeanMs, stepMs / 2, { min: 0, aboveMin: true })
  return {
    seed: numberOption('seed', given.seed, 1, { min: 0, max: 2 ** 32 - 1, integer: true }),
    pages: numberOption('pages', given.pages, 1000, { min: 1, max: 10_000_000, integer: true }),
    steps: numberOption('steps', given.steps, 48, { min: 1, max: 100_000, integer: true }),
    stepMs,
    startMs: numberOption('startMs', given.startMs, 0, { min: 0 }),
    regions: sharesOption('regions', given.regions, DEFAULT_REGIONS, REGIONS),
    laws: sharesOption('laws', given.laws, DEFAULT_LAWS, GENERATED_LAWS),
    minMeanMs,
    maxMeanMs: numberOption('maxMeanMs', given.maxMeanMs, Math.max(minMeanMs, 26 * stepMs), { min: minMeanMs }),
    lossPerStep: numberOption('lossPerStep', given.lossPerStep, 0.002, { min: 0, max: 1 }),
    growthPerStep: numberOption('growthPerStep', given.growthPerStep, 0.002, { min: 0, max: 1 }),
    sites: numberOption('sites', given.sites, 0, { min: 0, max: 10_000_000, integer: true }),
    motionOf: motionOption(given.motionOf),
  }
}

function motionOption(value: unknown): GeneratedWorldOptions['motionOf'] {
  if (value === undefined || typeof value === 'function') return value as GeneratedWorldOptions['motionOf']
  throw new TypeError(`motionOf must be a function, received ${describe(value)}`)
}

/** What is not named has no share; without the option, shares are the default. */
function sharesOption<Name extends string>(
  name: string,
  value: unknown,
  fallback: Readonly<Record<Name, number>>,
  names: readonly Name[],
): [Name, number][] {
  const given: { readonly [N in Name]?: unknown } = value === undefined ? fallback : readOptions(name, value, names)
  const shares = names.map((one): [Name, number] => [one, numberOption(`${name}.${one}`, given[one], 0, { min: 0 })])
  if (shares.every(([, share]) => share === 0)) throw new RangeError(`${name} must name a share above 0, received none`)
  return shares
}

/** What all pages have in common: the names of their world, and the events of each step. */
interface Scene {
  readonly names: readonly string[]
  readonly events: readonly (readonly string[])[]
}

function sceneOf({ seed, pages, steps }: Settings): Scene {
  const random = new Randomness(streamSeed(seed, 'scene', 0))
  // The vocabulary of a site grows with it, more slowly than its pages do.
  const names = Array.from({ length: 20 + Math.ceil(40 * Math.sqrt(pages)) }, () => inventName(random))
  const past = new Set<string>()
  const events = Array.from({ length: steps }, (_, step) => {
    const now: string[] = []
    // Bounded, because a long world uses up every event there is. Nothing is news in the beginning.
    for (let attempt = 0; step > 0 && now.length < EVENTS_PER_STEP && attempt < 50; attempt++) {
      const event = inventEvent(random)
      if (past.has(event)) continue
      past.add(event)
      now.push(event)
    }
    return now
  })
  return { names, events }
}

async function* tell(
  settings: Settings,
  { names, events }: Scene,
  firstPages: GeneratedPage[],
): AsyncGenerator<WorldStep> {
  const { seed, pages, steps, stepMs, startMs, lossPerStep, growthPerStep } = settings
  const fate = new Randomness(streamSeed(seed, 'fate', 0))
  let living = firstPages
  let born = pages
  yield { atMs: startMs, versions: living.map(({ page }) => page), gone: [] }
  for (let step = 1; step < steps; step++) {
    const atMs = startMs + step * stepMs
    const lost = new Set(living.filter(() => fate.chance(lossPerStep)))
    living = living.filter((page) => !lost.has(page))
    const changed = living.filter((page) => page.advance(atMs, events[step]!))
    const expected = pages * growthPerStep
    const births = Math.floor(expected) + (fate.chance(expected % 1) ? 1 : 0)
    const added = Array.from({ length: births }, () => birth(settings, names, born++, atMs))
    living = [...living, ...added]
    yield { atMs, versions: [...changed, ...added].map(({ page }) => page), gone: Array.from(lost, ({ url }) => url) }
  }
}

function birth(settings: Settings, names: readonly string[], number: number, atMs: number): GeneratedPage {
  const random = new Randomness(streamSeed(settings.seed, 'page', number))
  const { sites, motionOf } = settings
  const site = sites === 0 ? '' : `https://site-${number % sites}.example`
  const draw = (draws: Randomness) => (motionOf === undefined ? drawMotion(settings, draws) : motionOf(number, draws))
  return new GeneratedPage(random, names, { number, site, atMs }, draw)
}

function drawMotion({ regions, laws, minMeanMs, maxMeanMs }: Settings, random: Randomness): Motion | undefined {
  const region = pickShare(regions, random)
  if (region === 'static') return undefined
  const kind = pickShare(laws, random)
  return { region, law: drawLaw(kind, minMeanMs * (maxMeanMs / minMeanMs) ** random.next(), random) }
}

function pickShare<Name>(shares: readonly (readonly [Name, number])[], random: Randomness): Name {
  const possible = shares.filter(([, share]) => share > 0)
  let left = random.next() * possible.reduce((sum, [, share]) => sum + share, 0)
  const found = possible.find(([, share]) => {
    left -= share
    return left < 0
  })
  return (found ?? possible.at(-1)!)[0]
}
