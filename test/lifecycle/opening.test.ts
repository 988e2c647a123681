/** An index in a folder can be opened and written in whatever way its program was started. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Prints the number of hits after a write, which needs the thread of the catalog. */
const USE = `
  const index = await Freshdex.open(folder, { key: 'id', fields: { body: {} } })
  await index.write({ put: [{ id: 1, body: 'ferry' }] })
  console.log(index.search('ferry').total)
  await index.close()`

const MODULE = `import { Freshdex } from 'freshdex'; const folder = process.argv[1]; ${USE}`
const LATE = `import('freshdex').then(async ({ Freshdex }) => { ${USE} })`
const COMMONJS = `const folder = process.argv[1]; ${LATE}`
const IN_WORKER = `
  const { Worker } = require('node:worker_threads')
  const code = \`const folder = require('node:worker_threads').workerData; ${LATE}\`
  new Worker(code, { eval: true, workerData: process.argv[1] })`

const WAYS: readonly (readonly [string, readonly string[], string])[] = [
  ['a module given with -e', ['--input-type=module', '-e', MODULE], ''],
  ['CommonJS given with --eval', ['--eval', COMMONJS], ''],
  ['a worker thread', ['--eval', IN_WORKER], ''],
  ['a worker thread of a program started with flags', ['--input-type=commonjs', '--eval', IN_WORKER], ''],
  ['a module, with flags in NODE_OPTIONS', ['-e', MODULE], '--input-type=module --max-old-space-size=512'],
]

test.each(WAYS)('opening from %s', (_, args, options) => {
  const env = { ...process.env, NODE_OPTIONS: options }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, newPath()], {
    ...{ cwd: root, env },
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '1\n', stderr: '' })
})
