import { InvalidArgumentError } from 'commander'
import { longevity } from '../../lab/experiments/longevity/run.js'
import { folder, integer, optional, seed, UsageError } from '../options.js'
import { DEFAULT_SEED, experimentCommand } from './experiment-command.js'

const MOST_PAGES = 1_000_000
const MOST_STEPS = 1000
const MOST_DAYS = 1000
const DEFAULTS = { pages: 2000, steps: 50, stepDays: 2, seed: DEFAULT_SEED }

export const labLongevity = experimentCommand(longevity, {
  summary: 'what it is worth to know how long the content of pages lives, beside how often they change',
  options: {
    data: optional('<folder>', 'the folder of a world to replay; without it pages are generated', folder),
    pages: optional('<n>', `generated pages (default: ${DEFAULTS.pages})`, integer(1, MOST_PAGES)),
    steps: optional('<n>', `snapshots of generated pages (default: ${DEFAULTS.steps})`, integer(3, MOST_STEPS)),
    stepDays: optional('<n>', `days between two of them (default: ${DEFAULTS.stepDays})`, days),
    seed: optional('<n>', `of generated pages (default: ${DEFAULTS.seed})`, seed),
  },
  examples: [
    'freshdex lab longevity --report longevity.html',
    'freshdex lab longevity --data site-snapshots --resume run.jsonl --json',
  ],
  spec({ data, pages, steps, stepDays, seed }) {
    if (data === undefined)
      return {
        pages: pages ?? DEFAULTS.pages,
        steps: steps ?? DEFAULTS.steps,
        stepDays: stepDays ?? DEFAULTS.stepDays,
        seed: seed ?? DEFAULTS.seed,
      }
    if ([pages, steps, stepDays, seed].some((value) => value !== undefined))
      throw new UsageError('--pages, --steps, --step-days and --seed are for generated pages, --data names others')
    return { data }
  },
})

/** Days may have a fraction. */
function days(text: string): number {
  const value = Number(text)
  if (/^\d{1,4}(?:\.\d{1,6})?$/.test(text) && value > 0 && value <= MOST_DAYS) return value
  throw new InvalidArgumentError(`It must be a number above 0 and up to ${MOST_DAYS}.`)
}
