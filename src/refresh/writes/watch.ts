/** Following the writes of an index, one by one. */
import { setTimeout } from 'node:timers/promises'
import { signalOption } from '../../base/abort.js'
import { readOptions } from '../../base/checks.js'
import { FreshdexError } from '../../base/errors.js'
import type { RecentWrite } from './recent-writes.js'

export interface WatchOptions {
  /** Begins behind the write of this id; 0: with all that are kept. Default: with the next write. */
  readonly after?: number
  /** Ends the watching. */
  readonly signal?: AbortSignal
}

/** How often to look: about as often as a reader looks for new writes. */
const LOOK_MS = 100

/**
 * Writes as they come, until the signal or the end of the index. `writesAfter` gives what is kept behind an id, and
 * throws CLOSED when the index was closed.
 */
export async function* watchWrites(
  writesAfter: (id: number) => readonly RecentWrite[],
  options: WatchOptions | undefined,
): AsyncGenerator<RecentWrite, void> {
  const { after, signal: given } = readOptions('watch', options, ['after', 'signal'])
  const signal = signalOption(given)
  try {
    let last = (after as number | undefined) ?? writesAfter(0).at(-1)?.id ?? 0
    while (signal?.aborted !== true) {
      for (const write of writesAfter(last)) {
        last = write.id
        yield write
        if (signal?.aborted) return
      }
      await setTimeout(LOOK_MS, undefined, signal === undefined ? {} : { signal })
    }
  } catch (error) {
    if (signal?.aborted) return
    if (!(error instanceof FreshdexError && error.code === 'CLOSED')) throw error
  }
}
