/**
 * Brings a clone of the repository to where its programs can run; each npm script begins with it. Depends on nothing
 * but Node. Arguments: the steps to take, in this order; without any: packages sqlite addon dist.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAddon } from './addon.mjs'
import { headersOption, nodeGyp, nodeWithHeaders, requireTools } from './node-gyp.mjs'
import { digest, filesBelow, root, run, runSteps, StepFailed, say, stampFits, writeStamp } from './step.mjs'

const steps = {
  packages: installPackages,
  sqlite: compileSqlite,
  addon: buildAddon,
  dist: compileLibrary,
  bench: compileBenchmarks,
}

function installPackages() {
  const stamp = 'node_modules/.freshdex-packages'
  const wanted = digest(['package.json', 'package-lock.json'])
  if (stampFits(stamp, wanted)) return
  say('installing packages')
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Scripts of packages would fetch binaries from wherever they please. What has to be compiled is, in the next steps.
  const args = ['ci', '--ignore-scripts', '--no-json', '--no-audit', '--no-fund', '--loglevel=error']
  run(npm[0], [...npm.slice(1), ...args], 'npm ci failed')
  writeStamp(stamp, wanted)
}

const sqlite = 'node_modules/better-sqlite3'
const sqliteStamp = `${sqlite}/build/freshdex.stamp`

function sqliteDigest() {
  return digest([`${sqlite}/package.json`], process.version, process.arch, nodeWithHeaders())
}

function hasSqlite() {
  return (
    stampFits(sqliteStamp, sqliteDigest()) && existsSync(path.join(root, sqlite, 'build/Release/better_sqlite3.node'))
  )
}

/** better-sqlite3 from its sources; its own install script would ask GitHub for a binary first. */
function compileSqlite() {
  if (hasSqlite()) return
  requireTools()
  say('compiling SQLite')
  const options = ['--release', ...headersOption(), `--jobs=${os.availableParallelism()}`]
  nodeGyp(sqlite, 'rebuild', options, { isQuiet: true })
  writeStamp(sqliteStamp, sqliteDigest())
}

/** In a process of its own: SQLite is one large file, which keeps one core busy for as long as the addon needs the others. */
function startSqlite() {
  if (hasSqlite()) return undefined
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'sqlite'], { stdio: ['ignore', 2, 2] })
  process.once('exit', () => child.kill())
  return once(child, 'exit')
}

function compileLibrary() {
  const sources = filesBelow('src', /\.ts$/)
  if (!compile('.', 'dist', [...sources, 'tsconfig.json'])) return
  const outputs = filesBelow('dist', /\.(?:js|js\.map|d\.ts)$/)
  const wanted = new Set(sources.map((source) => withoutExtension(path.relative('src', source))))
  for (const output of outputs) {
    if (!wanted.has(withoutExtension(path.relative('dist', output)))) rmSync(path.join(root, output))
  }
}

function compileBenchmarks() {
  const publicTypes = filesBelow('dist', /\.d\.ts$/)
  compile('bench', '.build/bench', [...filesBelow('bench', /\.(?:ts|json)$/), 'tsconfig.json', ...publicTypes])
}

/** Runs tsc on a project unless its inputs are those of the last time; tells whether it ran. */
function compile(project, output, inputs) {
  const stamp = `.build/${path.basename(output)}.stamp`
  const wanted = digest([...inputs, 'node_modules/typescript/package.json'])
  if (stampFits(stamp, wanted) && existsSync(path.join(root, output))) return false
  say(`compiling to ${output}`)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [tsc, '--project', project], 'TypeScript found errors')
  writeStamp(stamp, wanted)
  return true
}

function withoutExtension(file) {
  return file.replace(/(?:\.d)?\.(?:ts|js)(?:\.map)?$/, '')
}

const names = process.argv.length > 2 ? process.argv.slice(2) : ['packages', 'sqlite', 'addon', 'dist']
await runSteps(async () => {
  let sqliteEnd
  for (const name of names) {
    if (!Object.hasOwn(steps, name)) throw new StepFailed(`no step is called ${name}`)
    if (name === 'sqlite' && names.includes('addon')) sqliteEnd = startSqlite()
    else steps[name]()
  }
  const [code] = (await sqliteEnd) ?? [0]
  if (code !== 0) throw new StepFailed('SQLite did not compile')
})
