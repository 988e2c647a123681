import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const timeoutMs = process.env.FRESHDEX_LONG ? 3_600_000 : 120_000

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: {
    alias: [
      { find: /^freshdex$/, replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)) },
      { find: /^freshdex\/(\w+)$/, replacement: fileURLToPath(new URL('../src/$1/index.ts', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/fresh-build.ts'],
    setupFiles: ['test/support/equal-bytes.ts'],
    // What is built is tested as it is: Node loads it, not vitest.
    server: { deps: { external: [/\/dist\//] } },
    typecheck: { enabled: true, include: ['test/types/*.test-d.ts'], tsconfig: 'test/types/tsconfig.json' },
    // Processes, not threads: a crash of the addon costs one file its result, and memory is counted per file.
    pool: 'forks',
    // Many wait for children and disks: the default leaves one core idle, which on two is half.
    maxWorkers: Math.max(2, os.availableParallelism()),
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
})
