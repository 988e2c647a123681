/** An application that is one file, made by a bundler, with the package beside it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const APP = `
  import { Freshdex } from 'freshdex'
  async function main(folder: string): Promise<void> {
    const index = await Freshdex.open<{ id: number; body: string }>(folder, { key: 'id', fields: { body: {} } })
    await index.write({ put: [{ id: 1, body: 'ferry' }] })
    console.log(index.search('ferry').total)
    await index.close()
  }
  main(process.argv[2] as string)`

test.each(['esm', 'cjs'] as const)(
  'an app bundled as %s, with the package external, opens a folder',
  async (format) => {
    const folder = newPath('app')
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true })
    symlinkSync(root, path.join(folder, 'node_modules/freshdex'))
    const app = path.join(folder, 'app.ts')
    writeFileSync(app, APP)
    const outfile = path.join(folder, format === 'esm' ? 'app.mjs' : 'app.cjs')
    const options: BuildOptions = { bundle: true, platform: 'node', external: ['freshdex'], logLevel: 'silent' }
    await build({ ...options, entryPoints: [app], format, outfile })
    const { status, stdout } = spawnSync(process.execPath, [outfile, path.join(folder, 'index')], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1\n' })
  },
)
