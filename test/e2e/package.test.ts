/** The package as it is published: packed, unpacked beside its dependencies, and used by its entries alone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-package-'))
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules)
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [program = 'npm', ...args] = [...npm, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  execFileSync(program, args, { cwd: root, stdio: 'pipe' })
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', path.join(folder, tarball), '-C', modules])
  execFileSync('mv', [path.join(modules, 'package'), path.join(modules, 'freshdex')])
  // The addon is what its install script would compile.
  symlinkSync(path.join(root, 'native/build'), path.join(modules, 'freshdex/native/build'))
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a module in the folder of a user, and gives what it prints. */
function run(source: string): string {
  writeFileSync(path.join(folder, 'program.mjs'), source)
  return execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' })
}

describe('the packed package', () => {
  it('has three entries that can be imported', () => {
    const names = run(`
      import { Freshdex } from 'freshdex'
      import { runExperiment } from 'freshdex/lab'
      import { makeSchedule } from 'freshdex/schedule'
      console.log([Freshdex, runExperiment, makeSchedule].map(({ name }) => name).join())
    `)
    expect(names).toBe('Freshdex,runExperiment,makeSchedule\n')
  })

  it('keeps SQLite and the other entries out of an index in memory, and works in a folder', () => {
    const told = run(`
      import { createRequire } from 'node:module'
      import { Freshdex } from 'freshdex'
      const { cache } = createRequire(import.meta.url)
      const loaded = () => Object.keys(cache).some((file) => file.includes('better-sqlite3'))
      const options = { key: 'id', fields: { text: {} } }
      const found = async (place) => {
        const index = await Freshdex.open(place, options)
        await index.write({ put: [{ id: 1, text: 'a heron' }] })
        return index.search('heron').total
      }
      console.log(JSON.stringify([await found(':memory:'), loaded(), await found('birds.freshdex'), loaded()]))
    `)
    expect(JSON.parse(told)).toEqual([1, false, 1, true])
  })

  const CALLS = `
    import { Freshdex, type SuggestedPage } from 'freshdex'
    import { type Experiment, loadExperiment, runExperiment } from 'freshdex/lab'
    import { makeSchedule, PoissonLaw, type Schedule } from 'freshdex/schedule'

    interface Page { readonly url: string; readonly body: string }
    export async function next(): Promise<readonly SuggestedPage[]> {
      const index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { body: {} } })
      return (await index.refresh.next({ budget: 1 })).pages
    }
    // @ts-expect-error: the key is a property of the page.
    export const wrong = () => Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: {} } })
    export const law = new PoissonLaw({ rate: 1 })
    export type Made = ReturnType<typeof makeSchedule> extends Schedule ? true : never
    export const made: Made = true
    export const parts: readonly unknown[] = [runExperiment, loadExperiment] satisfies readonly unknown[]
    export type Any = Experiment<never, never, never, never, never>
  `

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('has types that hold without skipLibCheck, resolved by %s', (moduleResolution, module) => {
    writeFileSync(path.join(folder, 'calls.ts'), CALLS)
    const compilerOptions = {
      ...{ moduleResolution, module, target: 'es2023', lib: ['es2023', 'esnext.disposable'], types: [] },
      ...{ strict: true, skipLibCheck: false, noEmit: true },
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })
})
