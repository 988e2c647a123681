/** A copy of an index on a filesystem that nobody can write to. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BUSY, failureOf, looksOf, openPages, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

test('a backup can be read, and not be written', async ({ skip }) => {
  const disk = newPath('disk')
  mkdirSync(disk, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return skip('a filesystem for reading takes the right to mount one')
  }
  try {
    const index = await openPages(newPath(), { upkeep: BUSY })
    const copy = path.join(disk, 'copy')
    await index.backup(copy)
    execFileSync('mount', ['-o', 'remount,ro', disk])
    await withIndex(copy, { readOnly: true }, async (reader) => {
      expect(looksOf(reader)).toEqual(looksOf(index))
      await reader.catchUp()
      expect(await reader.check()).toMatchObject({ ok: true, faults: [] })
    })
    expect(await failureOf(() => withIndex(copy, {}, () => {}))).toBe('IO')
    await index.close()
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})
