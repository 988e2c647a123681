import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isPreset, PRESET_NAMES, PRESETS } from '../../src/analysis/analyzer.js'

it('the presets have the numbers and versions of the core', () => {
  const header = readFileSync(new URL('../../native/analysis/analyzer.h', import.meta.url), 'utf8')
  for (const { name, id, version, foldAccents } of Object.values(PRESETS)) {
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    expect(header).toMatch(new RegExp(`k${title}${foldAccents ? 'Folding' : ''} = ${id}\\b`))
    expect(header).toContain(`k${title}Version = ${version};`)
  }
})

it('a preset is known by its own name only', () => {
  expect(PRESET_NAMES).toEqual(['standard', 'english'])
  expect(['standard', 'english', 'English', 'constructor', ''].map(isPreset)).toEqual([true, true, false, false, false])
})
