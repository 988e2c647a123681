import { type Command, InvalidArgumentError } from 'commander'
import { type LongevitySpec, longevity } from '../../lab/experiments/longevity/run.js'
import { folder, integer, UsageError } from '../options.js'
import { addExperiment, DEFAULT_SEED, seed } from './experiment-command.js'

interface LabLongevityOptions {
  readonly data?: string
  readonly pages?: number
  readonly steps?: number
  readonly stepDays?: number
  readonly seed?: number
}

const MOST_PAGES = 1_000_000
const MOST_STEPS = 1000
const MOST_DAYS = 1000
const DEFAULTS = { pages: 2000, steps: 50, stepDays: 2 }

export function addLabLongevityCommand(parent: Command): void {
  const command = parent
    .command('longevity')
    .description('what it is worth to know how long the content of pages lives, beside how often they change')
    .option('--data <folder>', 'the folder of a world to replay; without it pages are generated', folder)
    .option('--pages <n>', `generated pages (default: ${DEFAULTS.pages})`, integer(1, MOST_PAGES))
    .option('--steps <n>', `snapshots of generated pages (default: ${DEFAULTS.steps})`, integer(3, MOST_STEPS))
    .option('--step-days <n>', `days between two of them (default: ${DEFAULTS.stepDays})`, days)
    .option('--seed <n>', `of generated pages (default: ${DEFAULT_SEED})`, seed)
  addExperiment(command, longevity, {
    spec: specOf,
    examples: [
      'freshdex lab longevity --report longevity.html',
      'freshdex lab longevity --data site-snapshots --resume run.jsonl --json',
    ],
  })
}

function specOf({ data, pages, steps, stepDays, seed }: LabLongevityOptions): LongevitySpec {
  if (data === undefined)
    return {
      pages: pages ?? DEFAULTS.pages,
      steps: steps ?? DEFAULTS.steps,
      stepDays: stepDays ?? DEFAULTS.stepDays,
      seed: seed ?? DEFAULT_SEED,
    }
  if ([pages, steps, stepDays, seed].some((value) => value !== undefined))
    throw new UsageError('--pages, --steps, --step-days and --seed are for generated pages, --data names others')
  return { data }
}

/** Days may have a fraction. */
function days(text: string): number {
  const value = Number(text)
  if (/^\d{1,4}(?:\.\d{1,6})?$/.test(text) && value > 0 && value <= MOST_DAYS) return value
  throw new InvalidArgumentError(`It must be a number above 0 and up to ${MOST_DAYS}.`)
}
