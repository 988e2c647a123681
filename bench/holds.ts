/**
 * How long does each public call hold the event loop? Generated pages in a folder, with a workload and histories. Of
 * each call: wall time, CPU time of all threads, and the longest that it held the loop in one go, in wall time and in
 * CPU time of its thread. A synchronous call holds the loop for as long as it takes. The last calls are those of
 * processes that have only just opened the index, of which some read it only.
 *
 * Claim: no asynchronous call holds the event loop for more than 20 ms, beyond reading its arguments. The claim is of
 * CPU time where the system tells it, since on a machine with other work the wall time is theirs, too.
 *
 * As a Markdown table:
 *
 *   npm run bench -- holds --documents 1000000 --json > holds.json
 *   node .build/bench/holds-markdown.js holds.json
 */
import { constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from './bench.js'
import { runProgram } from './child-process.js'
import { type HeldCall, HeldCalls } from './held-calls.js'

const HOLD_MS = 20

export const holds: Bench = {
  name: 'holds',
  question: 'How long does each public call hold the event loop?',
  isGenerated: true,
  options: {
    documents: { kind: 'count', default: 5000, help: 'pages of the index' },
    index: { kind: 'folder', default: '', help: 'where the index is made, and used again if it is there' },
  },

  async run(request) {
    const root = mkdtempSync(path.join(tmpdir(), 'freshdex-holds-'))
    try {
      const given = request.word('index')
      const made = given === '' ? path.join(root, 'made') : given
      if (!existsSync(made)) {
        request.progress('the index is made')
        runProgram('million-index', { folder: made, pages: request.count('documents') })
      }
      // The calls change the index.
      const folder = path.join(root, 'index')
      cpSync(made, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
      const calls = await new HeldCalls(request, folder, root).measure()
      const isClaimKept = Object.values(calls).every((call) => call.colour === 'sync' || heldMs(call) <= HOLD_MS)
      return { result: { calls }, isClaimKept }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

/** Without reading the arguments, where there are any that take noticeable time. */
function heldMs({ argumentBytes, holdMs, holdCpuMs, beyondCpuMs }: HeldCall): number {
  return (argumentBytes === undefined ? holdCpuMs : beyondCpuMs) ?? holdMs
}
