import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isPreset, PRESET_NAMES, PRESETS } from '../../src/analysis/analyzer.js'

it('the presets have the numbers and versions of the core', () => {
  const header = readFileSync(new URL('../../native/analysis/analyzer.h', import.meta.url), 'utf8')
  for (const name of PRESET_NAMES) {
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    expect(header).toMatch(new RegExp(`k${title} = ${PRESETS[name].id}\\b`))
    expect(header).toContain(`k${title}Version = ${PRESETS[name].version};`)
  }
})

it('a preset is known by its own name only', () => {
  expect(PRESET_NAMES).toEqual(['standard', 'english'])
  expect(['standard', 'english', 'English', 'constructor', ''].map(isPreset)).toEqual([true, true, false, false, false])
})
