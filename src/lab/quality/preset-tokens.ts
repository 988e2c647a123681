/** The tokens that an index has of a text, from the core itself: the entry does not show them. */
import type { PresetName } from '../../analysis/presets.js'
import { loadAddon } from '../../engine/binding.js'
import { resolveOpenOptions } from '../../settings.js'
import { measuringCore } from '../../storage/measuring-core.js'
import { nativeConfig } from '../../storage/native-config.js'
import type { TokenReader } from './word-counts.js'

/** Lends the body a reader of tokens, sync or async. */
export async function withPresetTokens<T>(
  analyzer: PresetName,
  body: (tokensOf: TokenReader) => T | Promise<T>,
): Promise<T> {
  const { Index } = loadAddon()
  const settings = resolveOpenOptions({ key: 'url', fields: { text: {} }, analyzer })
  const native = new Index(nativeConfig(settings, 0n))
  try {
    return await body(measuringCore(native, analyzer, 0n).tokensOf)
  } finally {
    native.close()
  }
}
