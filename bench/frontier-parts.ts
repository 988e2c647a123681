/**
 * The sketches and the clustering behind `index.frontier` and `index.clusters`, from the compiled library, to be
 * measured by themselves.
 */
import type * as BisectionModule from '../dist/clusters/bisection.js'
import type * as SketchModule from '../dist/frontier/impact/query-sketch.js'

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}

export async function loadFrontierParts() {
  const { QuerySketches } = (await load('frontier/impact/query-sketch')) as typeof SketchModule
  const { bisect } = (await load('clusters/bisection')) as typeof BisectionModule
  return { QuerySketches, bisect }
}

export type FrontierParts = Awaited<ReturnType<typeof loadFrontierParts>>
