/** Removing the documents that pass a filter: which they are is decided in the turn of the write. */
import { encodeKey, type Key } from '../base/keys.js'
import { batchTooLarge, MAX_BATCH_BYTES, type OwnedBatch } from '../core/batch.js'

/** Where the number of removes stands in a batch; the removes themselves are its end. */
const REMOVES_AT = 4

/**
 * The batch with more keys to remove, in memory of its own. A key that the batch names stays as the batch says: a
 * document that is put is not removed.
 */
export function withRemovals(batch: OwnedBatch, keys: readonly Key[]): OwnedBatch {
  const named = new Set([...batch.keys, ...batch.removedKeys])
  const added = keys.filter((key) => !named.has(key))
  if (added.length === 0) return batch
  const removes = added.flatMap((key) => {
    const bytes = encodeKey(key)
    const size = Buffer.allocUnsafe(4)
    size.writeUInt32LE(bytes.length)
    return [size, bytes]
  })
  const bytes = Buffer.concat([batch.bytes, ...removes])
  if (bytes.length > MAX_BATCH_BYTES) throw batchTooLarge(MAX_BATCH_BYTES)
  const removedKeys = [...batch.removedKeys, ...added]
  bytes.writeUInt32LE(removedKeys.length, REMOVES_AT)
  batch.release()
  return { ...batch, bytes, removedKeys, release: () => {} }
}
