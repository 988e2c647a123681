/**
 * A process that makes the index of `million` in a folder: node million-index.js SPEC. It leaves its garbage and its
 * compiled code behind, so that the index is opened as an application would open it.
 */
import { Freshdex } from 'freshdex'
import { DAY_MS, MILLION_OPTIONS, MILLION_QUERIES, type MillionPage, START_MS } from './million-options.js'
import { uniform } from './random-numbers.js'

const BATCH = 5000
const WORDS = 20_000
const FOLDERS = 400
const HOSTS = 50
const SEED = 20_260_101

const progress = (what: string) => process.stderr.write(`bench: ${what}\n`)
const { folder, pages } = JSON.parse(process.argv[2]!) as { readonly folder: string; readonly pages: number }
await build(folder, pages)
process.stdout.write('null')

async function build(folder: string, pages: number): Promise<void> {
  const random = uniform(SEED)
  const index = await Freshdex.open<MillionPage>(folder, MILLION_OPTIONS)
  for (let from = 0; from < pages; from += BATCH) {
    const put = Array.from({ length: Math.min(BATCH, pages - from) }, (_, nth) => pageOf(from + nth, random))
    await index.write({ put }, { at: START_MS + (100 * DAY_MS * from) / pages })
    if (from % 100_000 === 0) progress(`${from} pages`)
  }
  await index.workload.load(
    Array.from(
      { length: MILLION_QUERIES },
      (_, nth) => [`${wordOf(random)} ${wordOf(random)}`, 1 + 1000 / (1 + nth)] as const,
    ),
  )
  progress('curves')
  await index.refresh.fit()
  for (let round = 0; round < 3; round++) {
    progress(`refreshes, round ${round + 1}`)
    for (let from = 0; from < pages; from += 4 * BATCH) {
      const observations = Array.from({ length: Math.floor((4 * BATCH) / 9) }, () => {
        const key = urlOf(Math.min(pages - 1, from + Math.floor(4 * BATCH * random())))
        const outcome = random() < 0.2 ? ('changed' as const) : ('same' as const)
        return [key, { outcome, at: START_MS + (110 + 50 * round + 40 * random()) * DAY_MS }] as const
      })
      await index.refresh.observeAll(observations)
    }
  }
  await index.frontier.add(
    Array.from({ length: 20_000 }, (_, nth) => ({
      url: `https://host${nth % HOSTS}.example/new/${nth}`,
      anchors: [`${wordOf(random)} ${wordOf(random)}`],
    })),
    { at: START_MS },
  )
  await index.close()
}

function pageOf(nth: number, random: () => number): MillionPage {
  return { url: urlOf(nth), body: Array.from({ length: 12 }, () => wordOf(random)).join(' ') }
}

function urlOf(nth: number): string {
  return `https://host${nth % HOSTS}.example/${Math.floor(nth / HOSTS) % FOLDERS}/${nth}`
}

/** Some words are frequent, most are rare. */
function wordOf(random: () => number): string {
  return `w${Math.floor(WORDS * random() ** 3)}`
}
