/**
 * The analyzers that live in the core. The version changes whenever the tokens of any text change: an index built with
 * another version would silently miss words.
 */
export const PRESETS = {
  /** Words, and pairs of characters where a script writes none apart (CJK), lower-cased. */
  standard: { id: 0, version: '1' },
  /** The same, then stop words become holes and English words Porter2 stems. */
  english: { id: 1, version: '1' },
} as const

export type PresetName = keyof typeof PRESETS

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

/** What the core is told when the tokens come from outside. */
export const TOKENS_GIVEN = 2

export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name)
}
