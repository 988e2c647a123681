/** How like any two versions of a page are: the cosine between their words (Tan and Mitra, section 3.2). */
import type { WordCounts } from '../../clusters/page-facts.js'

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

/** Of all pairs of versions of the same page, as columns that can be sent to another thread. */
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

/** Of two versions of the same page. */
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
