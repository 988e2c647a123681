/**
 * Compiles the addon into native/build/Release/freshdex.node, when its sources are not those of the last time.
 * A set-up step in the repository, and the install script of the published package.
 */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { headersOption, nodeGyp, nodeWithHeaders, requireTools } from './node-gyp.mjs'
import { digest, filesBelow, progress, root, runSteps, stampFits, writeStamp } from './step.mjs'

const binary = 'native/build/Release/freshdex.node'
const toolchainStamp = 'native/build/toolchain.stamp'
const configuredStamp = 'native/build/configured.stamp'
const builtStamp = 'native/build/built.stamp'

export async function buildAddon() {
  const sources = filesBelow('native', /\.(?:cc|h|inc)$/)
  const nodeDir = nodeWithHeaders()
  const isStrict = existsSync(path.join(root, '.git'))

  const toolchain = digest([], process.version, process.arch, addonApiVersion(), nodeDir)
  const configured = digest(
    ['native/binding.gyp', 'native/tools/units.mjs'],
    toolchain,
    isStrict,
    sources.filter((file) => file.endsWith('.cc')),
  )
  const built = digest(sources, configured)
  if (stampFits(builtStamp, built) && existsSync(path.join(root, binary))) return

  requireTools()
  await progress.during('compiling the addon (half a minute)', async () => {
    // Objects of another Node or node-addon-api look up to date to make.
    if (!stampFits(toolchainStamp, toolchain)) rmSync(path.join(root, 'native/build'), { recursive: true, force: true })
    if (!stampFits(configuredStamp, configured)) {
      const strictness = ['--', `-Dwarnings_are_errors=${isStrict ? 1 : 0}`]
      await nodeGyp('native', 'configure', ['--release', ...headersOption(), ...strictness])
      writeStamp(toolchainStamp, toolchain)
      writeStamp(configuredStamp, configured)
    }
    await nodeGyp('native', 'build', ['--release', `--jobs=${os.availableParallelism()}`])
    writeStamp(builtStamp, built)
  })
}

function addonApiVersion() {
  const manifest = createRequire(path.join(root, 'package.json')).resolve('node-addon-api/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await runSteps(buildAddon)
