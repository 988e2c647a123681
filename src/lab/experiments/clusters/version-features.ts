/**
 * The features of every version of every page (src/clusters/page-features.ts), and how those of two versions become the
 * dynamic ones.
 */

import { type PackedHistory, packedChangeFrequency } from '../../../clusters/change-weights.js'
import type { LinkFacts } from '../../../clusters/link-facts.js'
import { bytesOf, emailsOf, type PageFacts, type WordCounts, wordsOf } from '../../../clusters/page-facts.js'
import {
  AMOUNT_CHANGES,
  featureNames,
  featuresOf,
  learnFeatures,
  PAGE_FEATURES,
} from '../../../clusters/page-features.js'
import { forEachChange, readTimeline, type Selection, type Timeline } from '../../quality/timeline.js'
import type { World, WorldPage } from '../../worlds/world.js'

/** Columns that can be sent to another thread. */
export interface VersionFeatures {
  /** Row after row, PAGE_FEATURES for each version; dynamic features, which need two versions, are NaN. */
  readonly rows: Float64Array
  readonly similarities: VersionSimilarities
}

/** What is kept of a version while a world is read. */
interface VersionRecord {
  readonly words: PackedWords
  readonly bytes: number
  readonly emails: number
}

const NAMES = featureNames()
const SIMILARITY = NAMES.indexOf('similarity to the version before')
const FREQUENCY = NAMES.indexOf('change frequency')

/** Reads what the words of all versions are; `finish` then makes features of those that are wanted. */
export class FeatureReading {
  readonly #words = new NumberedWords()
  readonly #records: VersionRecord[] = []

  /** Numbers versions as readTimeline() always does. */
  async read(world: World, onStep: (step: number) => void): Promise<Timeline> {
    const onVersion = (page: WorldPage) => this.#records.push(this.#recordOf(page))
    return readTimeline(world, { onVersion, onStep })
  }

  /** Word clusters are those of the first step, for all versions. `links` may be unknown. */
  finish({ timeline, origins }: Selection, links: LinkFacts | undefined, seed: number): VersionFeatures {
    const records = Array.from(origins, (version) => this.#records[version]!)
    const factsOf = (version: number) => this.#factsOf(timeline, records[version]!, version, links)
    const first: number[] = []
    forEachChange(timeline, 0, (_, version) => first.push(version))
    const learnt = learnFeatures(first.map(factsOf), { seed })
    const rows = new Float64Array(records.length * PAGE_FEATURES)
    const isFirst = new Uint8Array(records.length)
    first.forEach((version, at) => {
      isFirst[version] = 1
      rows.set(learnt.features.subarray(at * PAGE_FEATURES, (at + 1) * PAGE_FEATURES), version * PAGE_FEATURES)
    })
    for (let version = 0; version < records.length; version++)
      if (isFirst[version] === 0) rows.set(featuresOf(learnt.space, factsOf(version)), version * PAGE_FEATURES)
    const similarities = compareVersions(
      records.map(({ words }) => words),
      timeline.pageOf,
    )
    return { rows, similarities }
  }

  /** By page of the first step: its words. */
  firstWords({ timeline, origins }: Selection): WordCounts[] {
    const words: WordCounts[] = []
    forEachChange(timeline, 0, (_, version) => words.push(this.#words.unpack(this.#records[origins[version]!]!.words)))
    return words
  }

  #recordOf(page: WorldPage): VersionRecord {
    return { words: this.#words.pack(wordsOf(page)!), bytes: bytesOf(page)!, emails: emailsOf(page)! }
  }

  #factsOf(
    { urls, pageOf }: Timeline,
    { words, bytes, emails }: VersionRecord,
    version: number,
    links: LinkFacts | undefined,
  ): PageFacts {
    const page = pageOf[version]!
    const known = { url: urls[page]!, words: this.#words.unpack(words), bytes, emails }
    if (links === undefined) return known
    const { pageRanks, inlinks, outlinks } = links
    return { ...known, pageRank: pageRanks[page]!, inlinks: inlinks[page]!, outlinks: outlinks[page]! }
  }
}

/** What a crawler knows of the past of a page. */
export interface PageVisits {
  /** The version of the download before the last one; undefined before the second. */
  readonly before: number | undefined
  readonly history: PackedHistory
}

/** Writes the features of a page of which `version` is the copy. */
export function writePageFeatures(
  row: Float64Array,
  { rows, similarities }: VersionFeatures,
  version: number,
  { before, history }: PageVisits,
): void {
  row.set(rows.subarray(version * PAGE_FEATURES, (version + 1) * PAGE_FEATURES))
  if (before === undefined) return
  row[SIMILARITY] = similarityBetween(similarities, version, before)
  for (const [amount, change] of AMOUNT_CHANGES)
    row[change] = Math.abs(rows[version * PAGE_FEATURES + amount]! - rows[before * PAGE_FEATURES + amount]!)
  row[FREQUENCY] = packedChangeFrequency(history)
}

/** Words as numbers, in the order of first sight: a version is two short columns instead of a map. */
export class NumberedWords {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []

  pack(words: WordCounts): PackedWords {
    const numbers = Uint32Array.from(words.keys(), (word) => this.#numberOf(word)).sort()
    const counts = Uint32Array.from(numbers, (number) => words.get(this.#words[number]!)!)
    return { numbers, counts }
  }

  unpack({ numbers, counts }: PackedWords): WordCounts {
    return new Map(Array.from(numbers, (number, at) => [this.#words[number]!, counts[at]!]))
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    this.#numbers.set(word, this.#words.push(word) - 1)
    return this.#words.length - 1
  }
}

export interface PackedWords {
  /** Ascending. */
  readonly numbers: Uint32Array
  readonly counts: Uint32Array
}

/** The similarities of all pairs of versions of the same page, as columns that can be sent to another thread. */
export interface VersionSimilarities {
  /** By version: how many versions of its page come before it. */
  readonly ordinals: Uint32Array
  /** By version: where its cosines with those, in their order, begin. */
  readonly begins: Uint32Array
  readonly cosines: Float64Array
}

/** `pageOf`: by version, as in a timeline. */
export function compareVersions(versions: readonly PackedWords[], pageOf: Uint32Array): VersionSimilarities {
  const ofPage = new Map<number, number[]>()
  const ordinals = new Uint32Array(versions.length)
  const begins = new Uint32Array(versions.length)
  const cosines: number[] = []
  const norms = versions.map(({ counts }) => Math.sqrt(counts.reduce((sum, count) => sum + count ** 2, 0)))
  versions.forEach((words, version) => {
    const earlier = ofPage.get(pageOf[version]!) ?? []
    ordinals[version] = earlier.length
    begins[version] = cosines.length
    for (const other of earlier) {
      const norm = norms[version]! * norms[other]!
      // Two empty texts are the same.
      cosines.push(norm > 0 ? productOf(words, versions[other]!) / norm : Number(norms[version] === norms[other]))
    }
    ofPage.set(pageOf[version]!, [...earlier, version])
  })
  return { ordinals, begins, cosines: Float64Array.from(cosines) }
}

/** The similarity of two versions of the same page. */
export function similarityBetween(
  { ordinals, begins, cosines }: VersionSimilarities,
  version: number,
  other: number,
): number {
  if (version === other) return 1
  const [first, last] = ordinals[version]! < ordinals[other]! ? [version, other] : [other, version]
  return cosines[begins[last]! + ordinals[first]!]!
}

function productOf(a: PackedWords, b: PackedWords): number {
  let [sum, at, other] = [0, 0, 0]
  while (at < a.numbers.length && other < b.numbers.length) {
    const difference = a.numbers[at]! - b.numbers[other]!
    if (difference === 0) sum += a.counts[at]! * b.counts[other]!
    if (difference <= 0) at++
    if (difference >= 0) other++
  }
  return sum
}
