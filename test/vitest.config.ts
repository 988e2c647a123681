import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const timeoutMs = process.env.FRESHDEX_LONG ? 3_600_000 : 120_000

/**
 * Folders whose tests compute, or have an index that nobody else sees. Files of theirs share processes, because the
 * start of a process and of the modules it needs takes longer than most of them.
 */
const TOGETHER = [
  'test/{analysis,base,catalog,change,clusters,core,frontier,math,options}/**/*.test.ts',
  'test/{plan,quality,refresh,schedule,search,workload,write}/**/*.test.ts',
  'test/lab/{choosers,experiments,quality,report,worlds}/**/*.test.ts',
  'test/cli/{bench,demo,input}/**/*.test.ts',
]

/** A process is kept only as long as the next file may share it, and short files at the end leave no core idle. */
class SharedLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isShared = (file: TestSpecification) => file.project.name === 'together'
    return [...sorted.filter((file) => !isShared(file)), ...sorted.filter(isShared)]
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const resolve = {
  alias: [
    { find: /^freshdex$/, replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)) },
    { find: /^freshdex\/(\w+)$/, replacement: fileURLToPath(new URL('../src/$1/index.ts', import.meta.url)) },
  ],
}
const common = {
  setupFiles: ['test/support/equal-bytes.ts'],
  // What is built is tested as it is: Node loads it, not vitest.
  server: { deps: { external: [/\/dist\//] } },
  // Processes, not threads: a crash of the addon costs one file its result, and memory is counted per file.
  pool: 'forks' as const,
  // Many wait for children and disks: the default leaves one core idle, which on two is half.
  maxWorkers: Math.max(2, os.availableParallelism()),
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
}

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/fresh-build.ts'],
    sequence: { sequencer: SharedLast },
    projects: [
      {
        root,
        resolve,
        test: {
          ...common,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: TOGETHER,
          typecheck: { enabled: true, include: ['test/types/*.test-d.ts'], tsconfig: 'test/types/tsconfig.json' },
        },
      },
      { root, resolve, test: { ...common, name: 'together', include: TOGETHER, isolate: false } },
    ],
  },
})
