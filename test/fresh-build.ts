/**
 * Runs before any test, however vitest was started: brings the addon and dist/ up to date. Some tests run dist/ (the
 * catalog's thread, the command line), and what they test must be the sources as they are. Takes a fraction of a second
 * when nothing changed.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

const setup = fileURLToPath(new URL('../native/tools/setup.mjs', import.meta.url))

function build(): void {
  const { status } = spawnSync(process.execPath, [setup], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('the set-up failed: its last line says why')
}

export default function freshBuild(project: TestProject): void {
  build()
  project.onTestsRerun(build)
}
