/**
 * Any byte of any file may be another, and any file may be cut short: the index refuses to open, or a read says that a
 * file is damaged, or nothing is different. Of SQLite's own log a damaged tail is no damage to SQLite, so that there an
 * earlier batch may be the last. A difference that nobody is told of is what must not be. FRESHDEX_LONG=1: every byte
 * and every length.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'

const IMAGES_PER_PROCESS = 150
const EDGE_BYTES = 128
const ALL = Number.POSITIVE_INFINITY

interface Image {
  readonly file: string
  readonly kind: 'flip' | 'truncate'
  readonly at: number
  readonly mask: number
  readonly readOnly: boolean
}

interface Outcome {
  readonly image: Image
  readonly outcome: string
}

interface File {
  readonly file: string
  readonly size: number
}

interface Specimen {
  readonly size: 'small' | 'large'
  readonly end: 'closed' | 'killed'
  /** Tried in the ordinary form. */
  readonly images: number
  /** Tried in the long form. */
  readonly longImages: number
  /**
   * Share of the samples that are in the files of SQLite, and share that is at an edge of a file, where headers are.
   */
  readonly inCatalog: number
  readonly atEdge: number
}

const SPECIMENS: readonly Specimen[] = [
  { size: 'small', end: 'closed', images: 150, longImages: ALL, inCatalog: 0.5, atEdge: 0.5 },
  { size: 'small', end: 'killed', images: 150, longImages: ALL, inCatalog: 0.5, atEdge: 0.5 },
  { size: 'large', end: 'closed', images: 100, longImages: 20_000, inCatalog: 0.2, atEdge: 0.1 },
]

let root = ''
const homeOf = ({ size, end }: Specimen) => path.join(root, `${size}-${end}`)
const specimenOf = (specimen: Specimen) => path.join(homeOf(specimen), 'index')
const looksOf = (specimen: Specimen) => path.join(homeOf(specimen), 'looks.json')

beforeAll(async () => {
  root = makeTemporaryFolder('damage')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.each(SPECIMENS)('a $size index whose writer was $end', (specimen) => {
  test('has everything that can be damaged', async () => {
    await makeSpecimen(specimen)
    const files = filesOf(specimenOf(specimen))
    expect(files.some(({ file }) => file === 'catalog.db-wal')).toBe(specimen.end === 'killed')
    const db = new Database(path.join(specimenOf(specimen), 'catalog.db'), { readonly: true })
    const kinds = db.prepare('SELECT kind, count(*) FROM segments GROUP BY kind').raw().all() as [number, number][]
    const rows = db.prepare('SELECT count(*) FROM log').pluck().get()
    db.close()
    for (const name of ['catalog.db-shm', ...(specimen.end === 'closed' ? ['catalog.db-wal'] : [])]) {
      rmSync(path.join(specimenOf(specimen), name), { force: true })
    }
    console.log('segments by kind', kinds, `log ${rows}`, files.map(({ size }) => size).join(' '))
    expect(kinds.map(([kind]) => kind)).toHaveLength(8)
    expect(Math.max(...kinds.map(([, count]) => count))).toBeGreaterThan(2)
    expect(rows).toBeGreaterThanOrEqual(4)
  })

  test('shows no damage as something else', { timeout: 24 * 3_600_000 }, async () => {
    await withSeed(`damage ${specimen.size} ${specimen.end}`, async (seed) => {
      const images = imagesOf(new SeededRandom(seed), filesOf(specimenOf(specimen)), specimen)
      const counts: Record<string, number> = {}
      const wrong: Outcome[] = []
      for (let from = 0; from < images.length; from += IMAGES_PER_PROCESS) {
        for (const tried of await tryImages(specimen, images.slice(from, from + IMAGES_PER_PROCESS))) {
          const kind = `${path.basename(tried.image.file).replace(/^[0-9a-f]{16}/, '')} ${tried.outcome.slice(0, 30)}`
          counts[kind] = (counts[kind] ?? 0) + 1
          if (!isAllowed(tried)) wrong.push(tried)
        }
      }
      console.log(`seed ${seed}, ${images.length} images:`, counts)
      // Blocks of large files are verified when they are read, and not before.
      if (specimen.size === 'large') expect(counts).toHaveProperty(['.seg noticed CORRUPT'])
      expect(wrong.slice(0, 10), `${wrong.length} of ${images.length} images`).toEqual([])
    })
  })
})

function isAllowed({ image, outcome }: Outcome): boolean {
  if (outcome === 'earlier') return image.file === 'catalog.db-wal'
  return /^(?:same|noticed CORRUPT|refused (?:CORRUPT|NOT_AN_INDEX|NOT_SUPPORTED|NOT_FOUND|IO|MISMATCH))$/.test(outcome)
}

function filesOf(folder: string): File[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /catalog\.db(?:-wal)?$|\.seg$/.test(file))
    .map((file) => ({ file, size: statSync(path.join(folder, file)).size }))
    .filter(({ size }) => size > 0)
}

/** All of them, or as many as are to be tried. */
function imagesOf(random: SeededRandom, files: readonly File[], specimen: Specimen): Image[] {
  const count = rounds(specimen.images, specimen.longImages)
  if (count !== ALL) return Array.from({ length: count }, () => sample(random, files, specimen))
  return files.flatMap(({ file, size }) =>
    Array.from({ length: size }, (_, at) => at).flatMap((at) =>
      (['flip', 'truncate'] as const).map((kind) => imageAt(random, file, kind, at)),
    ),
  )
}

function sample(random: SeededRandom, files: readonly File[], { inCatalog, atEdge }: Specimen): Image {
  const isCatalog = random.chance(inCatalog)
  const { file, size } = random.pick(files.filter(({ file }) => file.startsWith('catalog') === isCatalog))
  const fromEdge = random.int(Math.min(EDGE_BYTES, size))
  const edge = random.chance(0.5) ? fromEdge : size - 1 - fromEdge
  return imageAt(
    random,
    file,
    random.chance(0.25) ? 'truncate' : 'flip',
    random.chance(atEdge) ? edge : random.int(size),
  )
}

function imageAt(random: SeededRandom, file: string, kind: Image['kind'], at: number): Image {
  const mask = random.chance(0.5) ? 1 << random.int(8) : 1 + random.int(255)
  return { file, kind, at, mask, readOnly: random.chance(0.5) }
}

async function makeSpecimen(specimen: Specimen): Promise<void> {
  const script = fileURLToPath(new URL('specimen-child.mjs', import.meta.url))
  mkdirSync(homeOf(specimen))
  const child = spawn(
    process.execPath,
    [script, specimenOf(specimen), looksOf(specimen), specimen.size, specimen.end],
    { stdio: 'inherit' },
  )
  const [code, signal] = await once(child, 'close')
  expect([code, signal]).toEqual(specimen.end === 'killed' ? [null, 'SIGKILL'] : [0, null])
}

/** In a process of its own: one that crashes counts as the outcome of the image that it was at. */
async function tryImages(specimen: Specimen, images: readonly Image[]): Promise<Outcome[]> {
  const script = fileURLToPath(new URL('image-child.mjs', import.meta.url))
  const child = spawn(
    process.execPath,
    [script, specimenOf(specimen), looksOf(specimen), path.join(homeOf(specimen), 'scratch')],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const closed = once(child, 'close')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  // A process that dies does not read its input to the end.
  child.stdin.on('error', () => {})
  child.stdin.end(images.map((image) => `${JSON.stringify(image)}\n`).join(''))
  const outcomes: Outcome[] = []
  for await (const line of createInterface({ input: child.stdout })) outcomes.push(JSON.parse(line) as Outcome)
  const [code, signal] = await closed
  if (code === 0 && outcomes.length === images.length && errors === '') return outcomes
  const image = images[outcomes.length] ?? (images.at(-1) as Image)
  const rest = images.slice(outcomes.length + 1)
  const crash = { image, outcome: `CRASHED ${code} ${signal} ${errors.slice(0, 2_000)}` }
  return [...outcomes, crash, ...(rest.length > 0 ? await tryImages(specimen, rest) : [])]
}
