/** The part of a check that asks whether documents have what the links to them say: invariant L7. */
import type { Stop } from '../base/abort.js'
import { describe } from '../base/describe.js'
import type { Key } from '../base/keys.js'
import { BatchEncoder } from '../core/batch.js'
import type { CheckFault, CheckReport } from '../core/check-report.js'
import type { Documents } from '../core/documents.js'
import { encodeLinked } from '../core/link-slab.js'
import type { WritingCore } from '../engine.js'
import { linkedDocument } from '../links/link-moves.js'
import type { LinkTable } from '../links/link-table.js'
import type { OpenSettings } from '../options/index-settings.js'

/** Documents between two looks at the event loop. */
const PORTION = 200
const MAX_FAULTS = 100

interface CheckedIndex {
  readonly reader: { readonly documents: Pick<Documents<object>, 'keys'> }
  readonly core: WritingCore
}

/**
 * Links are told to the core once more, as if they had moved: where they are known already, nothing moves. What is
 * prepared for that is forgotten again. REQUIRES: nothing is written meanwhile.
 */
export async function checkLinks(
  links: LinkTable,
  settings: OpenSettings,
  { reader, core }: CheckedIndex,
  stop: Stop,
): Promise<CheckFault[]> {
  const nothing = new BatchEncoder(settings).encode({}).bytes
  const moved = async (keys: readonly Key[]) => {
    const documents = keys.map((key) => linkedDocument(key, links.linksTo(key), settings.documentBytes))
    const { counts } = await core.prepare(nothing, encodeLinked(documents, settings))
    await core.discard()
    return counts[MOVED_TARGETS] as number
  }
  const faults: CheckFault[] = []
  const look = async (keys: readonly Key[]) => {
    stop()
    if ((await moved(keys)) === 0) return
    for (const key of keys) {
      if (faults.length >= MAX_FAULTS) return
      if ((await moved([key])) > 0)
        faults.push({ invariant: 'L7', message: `document ${describe(key)} is not what links say of it` })
    }
  }
  let portion: Key[] = []
  for (const key of reader.documents.keys()) {
    portion.push(key)
    if (portion.length < PORTION) continue
    await look(portion)
    portion = []
  }
  if (portion.length > 0) await look(portion)
  return faults
}

/** In the counts of a prepared batch: see src/write/report.ts. */
const MOVED_TARGETS = 12

export function withFaults(report: CheckReport, faults: readonly CheckFault[]): CheckReport {
  return faults.length === 0 ? report : { ...report, ok: false, faults: [...report.faults, ...faults] }
}
