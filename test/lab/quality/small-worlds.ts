/** Worlds of a few pages, told as a list of steps. */
import type { World, WorldPage, WorldStep } from '../../../src/lab/worlds/world.js'

export function worldOf(steps: readonly WorldStep[]): World {
  return {
    async *[Symbol.asyncIterator]() {
      yield* steps
    },
  }
}

/** Times are 0, 1, 2 … seconds. */
export function stepsOf(...changes: readonly { readonly put?: readonly WorldPage[]; readonly gone?: string[] }[]) {
  return changes.map(({ put = [], gone = [] }, step): WorldStep => ({ atMs: step * 1000, versions: put, gone }))
}

export function page(url: string, text: string, title = ''): WorldPage {
  return { url, title, text }
}
