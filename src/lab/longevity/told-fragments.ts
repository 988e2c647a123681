/** The pages of a world as fragments: those that are there at every step, as in the experiments of the paper. */
import { type ShingleSet, shinglesOf, type TextHash } from '../../change/shingles.js'
import type { World, WorldPage } from '../world.js'
import type { FragmentChange, FragmentWorld, PageFragments } from './page-fragments.js'

/** RangeError for a world of fewer than three steps, in which nothing can be learnt and used, or without a page that stays. */
export async function toldFragments(
  world: World,
  hash: TextHash,
  onStep: (step: number) => void = () => {},
): Promise<FragmentWorld & { readonly pages: readonly PageFragments[] }> {
  const staying = new Map<string, FragmentChange[]>()
  const atMs: number[] = []
  for await (const step of world) {
    const number = atMs.push(step.atMs) - 1
    for (const page of step.versions) {
      if (number === 0) staying.set(page.url, [])
      staying.get(page.url)?.push({ step: number, fragments: fragmentsOf(page, hash) })
    }
    for (const url of step.gone) staying.delete(url)
    onStep(number)
  }
  if (atMs.length < 3) throw new RangeError(`a world must have at least three steps, received ${atMs.length}`)
  if (staying.size === 0) throw new RangeError('no page of the world is there at every step')
  return { atMs: Float64Array.from(atMs), pages: [...staying.values()] }
}

function fragmentsOf({ title, text }: WorldPage, hash: TextHash): ShingleSet {
  return shinglesOf(`${title}\n${text}`, hash)
}
