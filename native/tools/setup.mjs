/**
 * Brings a clone of the repository to where its programs can run; each npm script begins with it. Depends on nothing
 * but Node. Arguments: the steps to take; without any: sqlite, addon and dist. Steps that a step needs come first;
 * steps that do not need one another run side by side, as many as there are cores.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildAddon } from './addon.mjs'
import { headersOption, nodeGyp, nodeWithHeaders, requireTools } from './node-gyp.mjs'
import { digest, filesBelow, progress, root, run, runSteps, StepFailed, stampFits, writeStamp } from './step.mjs'

/** In the order in which they begin when cores are scarce: SQLite, one large file, keeps a core busy longest. */
const steps = {
  packages: { needs: [], work: installPackages },
  sqlite: { needs: ['packages'], work: compileSqlite },
  addon: { needs: ['packages'], work: buildAddon },
  dist: { needs: ['packages'], work: compileLibrary },
  tests: { needs: ['dist'], work: checkTests },
  bench: { needs: ['dist'], work: compileBenchmarks },
  biome: { needs: ['packages'], work: checkStyle },
  layout: { needs: ['packages'], work: checkLayout },
  lint: { needs: ['dist', 'tests', 'bench', 'biome', 'layout'], work: async () => undefined },
}

async function installPackages() {
  const stamp = 'node_modules/.freshdex-packages'
  // Scripts and other parts of the manifest do not matter: installing anew would throw away what was compiled.
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const wanted = digest(['package-lock.json'], dependencies, devDependencies)
  if (stampFits(stamp, wanted)) return
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Scripts of packages would fetch binaries from wherever they please. What has to be compiled is, in the next steps.
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await progress.during('installing packages', () => run(npm[0], [...npm.slice(1), ...args], 'npm ci failed'))
  writeStamp(stamp, wanted)
}

/** better-sqlite3 from its sources; its own install script would ask GitHub for a binary first. */
async function compileSqlite() {
  const folder = 'node_modules/better-sqlite3'
  const stamp = `${folder}/build/freshdex.stamp`
  const wanted = digest([`${folder}/package.json`], process.version, process.arch, nodeWithHeaders())
  if (stampFits(stamp, wanted) && existsSync(path.join(root, folder, 'build/Release/better_sqlite3.node'))) return
  requireTools()
  const options = ['--release', ...headersOption(), `--jobs=${os.availableParallelism()}`]
  await progress.during('compiling SQLite (about a minute)', () => nodeGyp(folder, 'rebuild', options))
  writeStamp(stamp, wanted)
}

const declarations = () => filesBelow('dist', /\.d\.ts$/)

async function compileLibrary() {
  const sources = filesBelow('src', /\.ts$/)
  // What tsc remembers of the last time says nothing about files that were removed since.
  if (!existsSync(path.join(root, 'dist'))) rmSync(path.join(root, '.build/dist.tsbuildinfo'), { force: true })
  const isNew = await compile('.', 'dist', [...sources, 'tsconfig.json'])
  if (!isNew) return
  const wanted = new Set(sources.map((source) => withoutExtension(path.relative('src', source))))
  for (const output of filesBelow('dist', /\.(?:js|js\.map|d\.ts)$/)) {
    if (!wanted.has(withoutExtension(path.relative('dist', output)))) rmSync(path.join(root, output))
  }
}

function withoutExtension(file) {
  return file.replace(/(?:\.d)?\.(?:ts|js)(?:\.map)?$/, '')
}

/** The tests are checked against the declarations of the library, so that its sources are not checked twice. */
async function checkTests() {
  const inputs = [...filesBelow('test', /\.(?:m?ts|json)$/), 'tsconfig.json', ...declarations()]
  await compile('test', undefined, inputs)
}

async function compileBenchmarks() {
  const inputs = [...filesBelow('bench', /\.(?:ts|json)$/), 'tsconfig.json', ...declarations()]
  await compile('bench', '.build/bench', inputs)
}

/** Runs tsc on a project unless its inputs are those of the last time; tells whether it ran. */
async function compile(project, output, inputs) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const text = output === undefined ? `checking the types of ${project}` : `compiling to ${output}`
  const work = () => run(process.execPath, [tsc, '--project', project], 'TypeScript found errors')
  return unlessDone(path.basename(output ?? project), [...inputs, 'node_modules/typescript/package.json'], output, () =>
    progress.during(text, work),
  )
}

async function checkStyle() {
  const folders = ['bench', 'native', 'src', 'test'].flatMap((folder) => filesBelow(folder, /\.(?:m?[jt]s|json)$/))
  const inputs = [...folders, '.biome.json', 'package.json', 'tsconfig.json', '.gitignore']
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  await unlessDone('biome', inputs, undefined, () =>
    progress.during('checking the style of TypeScript', () =>
      run(process.execPath, [biome, 'check'], 'biome found errors; npx biome check --write mends what can be mended'),
    ),
  )
}

async function checkLayout() {
  const sources = ['native', 'test/native', 'bench/peers'].flatMap((folder) => filesBelow(folder, /\.(?:cc|h)$/))
  const inputs = [...sources, '.clang-format', 'native/tools/format.mjs', 'package-lock.json']
  const script = path.join(root, 'native/tools/format.mjs')
  await unlessDone('layout', inputs, undefined, () =>
    progress.during('checking the layout of C++', () => run(process.execPath, [script], 'C++ is not laid out')),
  )
}

/** Does the work unless its inputs are those of the last time and its output is there; tells whether it did. */
async function unlessDone(name, inputs, output, work) {
  const stamp = `.build/${name}.stamp`
  const wanted = digest(inputs)
  if (stampFits(stamp, wanted) && (output === undefined || existsSync(path.join(root, output)))) return false
  await work()
  writeStamp(stamp, wanted)
  return true
}

/** The wanted steps and all that they need, in the order of `steps`. */
function withNeeds(names) {
  const all = new Set()
  const add = (name) => {
    if (!Object.hasOwn(steps, name)) throw new StepFailed(`no step is called ${name}`)
    for (const need of steps[name].needs) add(need)
    all.add(name)
  }
  for (const name of names) add(name)
  return Object.keys(steps).filter((name) => all.has(name))
}

async function takeSteps(names) {
  const waiting = withNeeds(names)
  const running = new Map()
  const done = new Set()
  while (waiting.length > 0 || running.size > 0) {
    const at = waiting.findIndex((name) => steps[name].needs.every((need) => done.has(need)))
    if (at >= 0 && running.size < Math.max(2, os.availableParallelism())) {
      const [name] = waiting.splice(at, 1)
      running.set(
        name,
        steps[name].work().then(() => name),
      )
    } else {
      const name = await Promise.race(running.values())
      running.delete(name)
      done.add(name)
    }
  }
}

await runSteps(() => takeSteps(process.argv.length > 2 ? process.argv.slice(2) : ['sqlite', 'addon', 'dist']))
