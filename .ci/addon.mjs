/**
 * Compiles the addon into native/build/Release/freshdex.node, when its sources are not those of the last time.
 * A set-up step in the repository, and the install script of the published package.
 */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { digest, filesBelow, root, run, runSteps, StepFailed, say, stampFits, writeStamp } from './step.mjs'

const binary = 'native/build/Release/freshdex.node'
const toolchainStamp = 'native/build/toolchain.stamp'
const configuredStamp = 'native/build/configured.stamp'
const builtStamp = 'native/build/built.stamp'

export function buildAddon() {
  const sources = filesBelow('native', /\.(?:cc|h)$/).filter((file) => !file.startsWith(path.join('native', 'build')))
  const nodeDir = nodeWithHeaders()
  const strict = existsSync(path.join(root, '.git'))

  const toolchain = digest([], process.version, process.arch, addonApiVersion(), nodeDir)
  const configured = digest(
    ['native/binding.gyp'],
    toolchain,
    strict,
    sources.filter((file) => file.endsWith('.cc')),
  )
  const built = digest(sources, configured)
  if (stampFits(builtStamp, built) && existsSync(path.join(root, binary))) return

  requireTools()
  say('compiling the addon')
  // Objects of another Node or node-addon-api look up to date to make.
  if (!stampFits(toolchainStamp, toolchain)) rmSync(path.join(root, 'native/build'), { recursive: true, force: true })
  if (!stampFits(configuredStamp, configured)) {
    if (nodeDir === undefined) say(`no headers beside ${process.execPath}; node-gyp asks nodejs.org for them`)
    const headers = nodeDir === undefined ? [] : [`--nodedir=${nodeDir}`]
    nodeGyp('configure', '--release', ...headers, '--', `-Dwarnings_are_errors=${strict ? 1 : 0}`)
    writeStamp(toolchainStamp, toolchain)
    writeStamp(configuredStamp, configured)
  }
  nodeGyp('build', '--release', `--jobs=${os.availableParallelism()}`)
  writeStamp(builtStamp, built)
}

function nodeGyp(command, ...args) {
  const [program, ...before] = findNodeGyp()
  const options = ['--directory=native', '--loglevel=warn']
  run(program, [...before, command, ...options, ...args], `the addon did not compile (node-gyp ${command})`)
}

/** Our own development dependency; for users the one that their package manager brings along. */
function findNodeGyp() {
  const script = path.join(root, 'node_modules/node-gyp/bin/node-gyp.js')
  if (existsSync(script)) return [process.execPath, script]
  const bundled = process.env.npm_config_node_gyp
  return bundled ? [process.execPath, bundled] : ['node-gyp']
}

/** A folder with include/node beside the running Node; without one node-gyp would fetch the headers from nodejs.org. */
function nodeWithHeaders() {
  if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir
  const prefix = path.dirname(path.dirname(realpathSync(process.execPath)))
  return existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : undefined
}

function addonApiVersion() {
  const manifest = createRequire(path.join(root, 'package.json')).resolve('node-addon-api/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

function requireTools() {
  if (process.platform === 'win32') return
  const found = (name) => process.env.PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))
  const compiler = process.env.CXX ? [] : [['g++', 'clang++', 'c++']]
  const python = process.env.PYTHON || process.env.npm_config_python ? [] : [['python3', 'python']]
  const missing = [...compiler, ['make', 'gmake'], ...python]
    .filter((names) => !names.some(found))
    .map(([name]) => name)
  if (missing.length > 0) {
    throw new StepFailed(`${missing.join(', ')} not found: compiling the addon needs g++, make and python3`)
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) runSteps(buildAddon)
