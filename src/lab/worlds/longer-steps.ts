/** The same world in longer steps: what several steps that follow each other change together. */
import type { World, WorldPage, WorldStep } from '../world.js'

/** The first step stays as it is. Steps at the end that are too few for a longer one are left out. */
export function withLongerSteps(world: World, steps: number): World {
  return steps === 1 ? world : { [Symbol.asyncIterator]: () => tell(world, steps) }
}

async function* tell(world: World, steps: number): AsyncGenerator<WorldStep> {
  const present = new Set<string>()
  /** By address: undefined where the page is gone. */
  let changes = new Map<string, WorldPage | undefined>()
  let at = 0
  for await (const { atMs, versions, gone } of world) {
    for (const page of versions) changes.set(page.url, page)
    for (const url of gone) changes.set(url, undefined)
    if (at++ % steps !== 0) continue
    const kept = [...changes.values()].filter((page) => page !== undefined)
    const lost = [...changes.keys()].filter((url) => changes.get(url) === undefined && present.delete(url))
    for (const { url } of kept) present.add(url)
    yield { atMs, versions: kept, gone: lost }
    changes = new Map()
  }
}
