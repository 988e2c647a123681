/** Worlds as tests want them: all steps at once, in folders that vanish. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { World, WorldPage, WorldStep } from '../../../src/lab/worlds/world.js'

export async function allSteps(world: World): Promise<WorldStep[]> {
  const steps: WorldStep[] = []
  for await (const step of world) steps.push(step)
  return steps
}

export const page = (url: string, text = `text of ${url}`, title = `title of ${url}`): WorldPage => ({
  url,
  title,
  text,
})

/** What is there after each step, by address. */
export function statesOf(steps: readonly WorldStep[]): Map<string, WorldPage>[] {
  const present = new Map<string, WorldPage>()
  return steps.map(({ versions, gone }) => {
    for (const url of gone) present.delete(url)
    for (const version of versions) present.set(version.url, version)
    return new Map(present)
  })
}

export class WorldPlace {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-world-'))

  path(name: string): string {
    return path.join(this.folder, name)
  }

  /** Packed where the name ends with .gz. */
  write(name: string, content: string | Uint8Array): string {
    const bytes = Buffer.from(content as string)
    writeFileSync(this.path(name), name.endsWith('.gz') ? gzipSync(bytes) : bytes)
    return this.path(name)
  }

  writeLines(name: string, values: readonly unknown[]): string {
    return this.write(name, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
