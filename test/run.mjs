/**
 * Runs every test and closes with one line, `N passed, N failed` (and `, N skipped` when there are any).
 *
 *   npm test                     everything
 *   npm test -- model            the vitest files whose path contains "model"; further arguments go to vitest
 *   npm test -- native           only the native tests
 *   npm run test:long            longer random tests (FRESHDEX_LONG=1), and the native tests under ThreadSanitizer too
 *
 * A runner that dies, an error outside of every test, or a run without any test counts as one failure.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const long = process.argv.includes('--long')
const env = long ? { ...process.env, FRESHDEX_LONG: '1' } : process.env

function makeNative(sanitizers, ...args) {
  const options = ['--no-print-directory', '--silent', `SANITIZE=${sanitizers}`]
  // ThreadSanitizer looks at a few tests of many: more rounds of all the others would show it nothing.
  const effort = sanitizers === 'thread' ? process.env : env
  return ['make', [...options, ...args], { cwd: path.join(root, 'test/native'), env: effort }]
}

function compileNativeTests(sanitizers) {
  console.log(`native tests, sanitizers: ${sanitizers}`)
  const [make, args, options] = makeNative(sanitizers, `-j${os.availableParallelism()}`)
  return spawnSync(make, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** What it prints comes all at once, at its end: other tests run meanwhile. */
async function runNativeTests(sanitizers, target = 'run') {
  const [make, args, options] = makeNative(sanitizers, target)
  const child = spawn(make, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  const [status] = await once(child, 'close')
  const lines = stdout.trimEnd().split('\n')
  const counts = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1))
  if (counts === null) {
    console.log(stdout)
    return crash('the native tests ended before their closing line')
  }
  // Its closing line gets a name, so that the only bare one is ours.
  console.log([...lines.slice(0, -1), `native: ${lines.at(-1)}`].join('\n'))
  const tally = { passed: Number(counts[1]), failed: Number(counts[2]), skipped: 0 }
  // Leaks are reported after the closing line.
  if (status !== 0 && tally.failed === 0) return add(tally, crash('a sanitizer complained after the last native test'))
  return tally
}

async function runVitest(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-test-'))
  try {
    const report = path.join(folder, 'report.json')
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
    const options = ['--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json']
    const child = spawn(process.execPath, [vitest, 'run', ...options, `--outputFile.json=${report}`, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env,
    })
    const [status] = await once(child, 'close')
    return readVitestReport(report, status)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readVitestReport(file, status) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return crash('vitest ended without a report')
  }
  const tests = report.testResults.flatMap((result) => result.assertionResults)
  const count = (...states) => tests.filter((test) => states.includes(test.status)).length
  // A file that does not load fails without any test in it that could.
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  )
  const tally = {
    passed: count('passed'),
    failed: count('failed') + unloaded.length,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
  }
  if (status !== 0 && tally.failed === 0) return add(tally, crash('vitest ended with an error outside of the tests'))
  return tally
}

function crash(message) {
  console.log(`FAILED: ${message}`)
  return { passed: 0, failed: 1, skipped: 0 }
}

function add(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

const filters = process.argv.slice(2).filter((argument) => argument !== '--long')
const vitestArgs = filters.filter((argument) => argument !== 'native')

const nothing = { passed: 0, failed: 0, skipped: 0 }

async function runAllNative() {
  if (filters.length > 0 && !filters.includes('native')) return nothing
  let tally = nothing
  // Compiling takes all cores there are, running one.
  const sanitizers = long ? ['address,undefined', 'thread'] : ['address,undefined']
  const compiled = sanitizers.filter((each) => {
    const isCompiled = compileNativeTests(each)
    if (!isCompiled) tally = add(tally, crash('the native tests did not compile'))
    return isCompiled
  })
  for (const each of compiled) tally = add(tally, await runNativeTests(each))
  // A race has nothing to do with memory that ends.
  if (compiled.includes('address,undefined'))
    tally = add(tally, await runNativeTests('address,undefined', 'run-allocations'))
  return tally
}

const runs = [runAllNative()]
if (filters.length === 0 || vitestArgs.length > 0) runs.push(runVitest(vitestArgs))
let total = (await Promise.all(runs)).reduce(add, nothing)
if (total.passed + total.failed === 0) total = add(total, crash('no test ran'))

console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
