/** Compiling addons: which node-gyp, which headers, which tools. */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { progress, root, run, StepFailed } from './step.mjs'

/** Runs node-gyp in a folder of the repository. */
export async function nodeGyp(folder, command, args) {
  const [program, ...before] = findNodeGyp()
  const options = [`--directory=${folder}`, '--loglevel=warn']
  await run(program, [...before, command, ...options, ...args], `${folder} did not compile (node-gyp ${command})`)
}

/** The option that names the headers of the running Node; without one node-gyp would fetch them from nodejs.org. */
export function headersOption() {
  const folder = nodeWithHeaders()
  if (folder !== undefined) return [`--nodedir=${folder}`]
  progress.say(`no headers beside ${process.execPath}; node-gyp asks nodejs.org for them`)
  return []
}

/** A folder with include/node beside the running Node. */
export function nodeWithHeaders() {
  if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir
  const prefix = path.dirname(path.dirname(realpathSync(process.execPath)))
  return existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : undefined
}

/** Our own development dependency; for users the one that their package manager brings along. */
function findNodeGyp() {
  const script = path.join(root, 'node_modules/node-gyp/bin/node-gyp.js')
  if (existsSync(script)) return [process.execPath, script]
  const bundled = process.env.npm_config_node_gyp
  return bundled ? [process.execPath, bundled] : ['node-gyp']
}

export function requireTools() {
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
