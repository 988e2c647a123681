/** The only place that loads the addon. It loads nothing else, for threads that need a function of it and no index. */
import { fileURLToPath } from 'node:url'
import { FreshdexError } from '../base/errors.js'
import type { Addon } from './addon-shape.js'

/** src/core and dist/core are equally deep, so that one path serves both. */
const NATIVE_FOLDER = fileURLToPath(new URL('../../native/', import.meta.url))

/** Loads the compiled addon from `folder`; NATIVE_MISSING when there is none for this platform. */
export function loadAddon(folder: string = NATIVE_FOLDER): Addon {
  const require = requireHere()
  try {
    const nodeGypBuild = require('node-gyp-build') as (folder: string) => Addon
    return nodeGypBuild(folder)
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`
    throw new FreshdexError(
      'NATIVE_MISSING',
      `the addon of freshdex is not built for ${platform} under Node ${process.versions.node}; build it: npm run build`,
      { cause, detail: { platform, node: process.versions.node, folder } },
    )
  }
}

/** The file of the addon, for a thread that needs a function of it and not what else it takes to load one. */
export function addonFile(): string {
  const require = requireHere()
  const { resolve } = require('node-gyp-build') as { resolve(folder: string): string }
  return resolve(NATIVE_FOLDER)
}

/** Not imported: a thread that never needs the addon saves loading what loads it. */
function requireHere(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)
}
