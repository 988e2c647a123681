/** Stored documents on disk: they lie in the catalog, their hashes in the core. */
import type { Hash } from '../catalog/segment-list.js'
import type { StoredView } from '../catalog/stored-view.js'
import type { StoredDocuments } from '../engine/stored-documents.js'
import { FreshdexError } from '../errors.js'

export function verifiedDocuments(view: StoredView, hashOf: Hash): StoredDocuments {
  return {
    read(document, hash) {
      const stored = view.read(document)
      if (stored instanceof Uint8Array && hashOf(stored) === Buffer.from(hash).readBigUInt64LE()) return stored
      const what = stored === undefined ? 'is missing' : 'is not as it was written'
      throw new FreshdexError('CORRUPT', `'${view.db.name}' is damaged: stored document ${document} ${what}`, {
        detail: { file: view.db.name, document },
      })
    },
  }
}
