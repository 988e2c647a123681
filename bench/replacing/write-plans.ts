/** Which pages an index has first, and which writes follow, in sections: real revisions of a site, or made-up ones. */
import { readTextPages, type TextPage } from '../large-collection.js'
import { uniform } from '../random-numbers.js'
import type { History, Page, Week } from '../snapshot-data.js'
import type { TextWrite, WriteSection } from './write-sections.js'

export interface WritePlan {
  readonly first: readonly TextPage[]
  /** Each comes `rounds` times with the same name, and once before with the name `warming up`. */
  readonly sections: readonly WriteSection[]
  /** Pages that are replaced in one section of a name. */
  readonly replaced: Readonly<Record<string, number>>
}

export const WARMING_UP = 'warming up'
export const SINGLE = 'one page a write'
export const IDENTICAL = 'the same again'
export const IDENTICAL_SINGLE = 'the same again, one page a write'

const SINGLE_PAGES = 500
const IDENTICAL_BATCH = 100
const SEED = 20_260_201

/** Weekly writes of a site, in order and then back, and so on; then single pages, and pages that did not change. */
export function planOfHistory({ weeks }: History, rounds: number): WritePlan {
  const forward = weeks.slice(1).map(writeOfWeek)
  const backward = takenBack(weeks)
  const sections: WriteSection[] = [{ name: WARMING_UP, writes: forward }]
  for (let round = 0; round < rounds; round++) {
    sections.push({ name: 'weekly', writes: round % 2 === 0 ? backward : forward })
  }
  const isForward = rounds % 2 === 0
  const single = (isForward ? backward : forward).flatMap(({ put }) => put).slice(0, SINGLE_PAGES)
  const others = (isForward ? forward : backward).flatMap(({ put }) => put).slice(0, SINGLE_PAGES)
  const replaced = forward.reduce((sum, { put }) => sum + put.length, 0)
  const fixed = fixedSections([single, others], rounds)
  return {
    first: weeks[0]!.added.map(textOf),
    sections: [...sections, ...fixed.sections],
    replaced: { weekly: replaced - addedIn(weeks), ...fixed.replaced },
  }
}

/** `--replaced` pages of a collection, in writes of `--batch`, with a share of their lines from other pages. */
export async function planOfCollection(
  folder: string,
  { pages, replaced, batch, rounds }: Readonly<Record<'pages' | 'replaced' | 'batch' | 'rounds', number>>,
  shares: readonly number[],
): Promise<WritePlan> {
  const first: TextPage[] = []
  for await (const page of readTextPages(folder, pages)) first.push(page)
  const random = uniform(SEED)
  const chosen = Array.from({ length: Math.min(replaced, first.length) }, () => first[draw(random, first.length)]!)
  const unique = [...new Map(chosen.map((page) => [page.url, page])).values()]
  const section = (name: string, share: number): WriteSection => ({
    name,
    writes: writesOf(
      unique.map((page) => edited(page, share, first, random)),
      batch,
    ),
  })
  const sections = [section(WARMING_UP, 0.1)]
  const counts: Record<string, number> = {}
  for (const share of shares) {
    const name = `${share * 100}% of the lines`
    counts[name] = unique.length
    for (let round = 0; round < rounds; round++) sections.push(section(name, share))
  }
  const versions = [0.1, 0.1].map((share) =>
    unique.slice(0, SINGLE_PAGES).map((page) => edited(page, share, first, random)),
  )
  const fixed = fixedSections(versions, rounds)
  return { first, sections: [...sections, ...fixed.sections], replaced: { ...counts, ...fixed.replaced } }
}

/** Two versions of some pages in turns, one page a write; and the version that is there once more. */
function fixedSections(versions: readonly (readonly TextPage[])[], rounds: number) {
  const sections: WriteSection[] = []
  for (let round = 0; round < rounds; round++) {
    const version = versions[round % versions.length]!
    sections.push({ name: SINGLE, writes: writesOf(version, 1) })
    const unique = [...new Map(version.map((page) => [page.url, page])).values()]
    sections.push(
      { name: IDENTICAL, writes: writesOf(unique, IDENTICAL_BATCH) },
      { name: IDENTICAL_SINGLE, writes: writesOf(unique, 1) },
    )
  }
  const pages = versions[0]!.length
  const same = new Set(versions[0]!.map(({ url }) => url)).size
  return { sections, replaced: { [SINGLE]: pages, [IDENTICAL]: same, [IDENTICAL_SINGLE]: same } }
}

function writesOf(pages: readonly TextPage[], size: number): TextWrite[] {
  const writes: TextWrite[] = []
  for (let at = 0; at < pages.length; at += size) writes.push({ put: pages.slice(at, at + size), remove: [] })
  return writes
}

function writeOfWeek({ added, replaced, gone }: Week): TextWrite {
  return { put: [...added, ...replaced].map(textOf), remove: gone }
}

/** The writes that undo those of the weeks, the last one first. */
function takenBack(weeks: readonly Week[]): TextWrite[] {
  const known = new Map<string, Page>()
  const undoing: TextWrite[] = []
  for (const [at, { added, replaced, gone }] of weeks.entries()) {
    const before = [...replaced.map(({ url }) => url), ...gone].flatMap((url) => known.get(url) ?? [])
    if (at > 0) undoing.push({ put: before.map(textOf), remove: added.map(({ url }) => url) })
    for (const page of [...added, ...replaced]) known.set(page.url, page)
    for (const url of gone) known.delete(url)
  }
  return undoing.reverse()
}

function addedIn(weeks: readonly Week[]): number {
  return weeks.slice(1).reduce((sum, { added }) => sum + added.length, 0)
}

function textOf({ url, title, text }: Page): TextPage {
  return { url, text: `${title}\n${text}` }
}

/** The page with a share of its lines, one at least, taken from another page. */
function edited({ url, text }: TextPage, share: number, all: readonly TextPage[], random: () => number): TextPage {
  const lines = text.split('\n')
  const source = all[draw(random, all.length)]!.text.split('\n')
  for (let left = Math.max(1, Math.round(lines.length * share)); left > 0; left--) {
    lines[draw(random, lines.length)] = source[draw(random, source.length)]!
  }
  return { url, text: lines.join('\n') }
}

function draw(random: () => number, count: number): number {
  return Math.floor(random() * count)
}
