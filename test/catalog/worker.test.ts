/** What the catalog's thread loads: it starts with every index on disk, and needs little of the rest. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** Modules that a compiled module imports, and those that they import; types are gone by then. */
function loadedBy(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const text = readFileSync(path.join(dist, file), 'utf8')
  for (const [, module = ''] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'/gms)) {
    if (module.startsWith('.')) loadedBy(path.join(path.dirname(file), module), loaded)
    else loaded.add(module)
  }
  return loaded
}

test('the thread of a catalog loads SQLite, the catalog, the ledger, packed curves and a clock, and no policy', () => {
  const loaded = [...loadedBy('catalog/worker.js')]
  const wanted =
    /^(?:base|catalog|change|ledger)\/|^(?:engine|core\/(?:addon|thread-clock)|refresh\/packed-curves)\.js$/
  const others = loaded.filter((file) => file.endsWith('.js') && !wanted.test(file))
  expect(others).toEqual([])
  const packages = loaded.filter((file) => !file.endsWith('.js') && !file.startsWith('node:'))
  expect(packages).toEqual(['better-sqlite3'])
  expect(loaded).not.toContain('node:module')
})
