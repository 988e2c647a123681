/**
 * The judgement image: what the judge of a large ledger knew when the index was closed, so that the first question need
 * not judge all pages again. A cache of the ledger as the ledger image has it, its numbers of sections included.
 * docs/file-format.md has the layout.
 */
import type { LedgerParts } from '../ledger/ledger.js'
import {
  type JudgementHead,
  type KeptJudgement,
  packJudgement,
  unpackJudgement,
} from '../refresh/judge/kept-judgement.js'
import { readImage, sumOf, writeImage } from './image-file.js'

const MAGIC = 'FDXJUDG1'

interface Header {
  /** That of the ledger image. */
  readonly key: string
  readonly sections: number
  readonly head: JudgementHead
}

export function writeJudgementImage(file: string, key: string, parts: LedgerParts, judgement: KeptJudgement): void {
  const { head, columns } = packJudgement(judgement)
  const header: Header = { key, sections: sectionsSum(parts), head }
  const contents = Object.entries(columns).map(
    ([name, { buffer, byteOffset, byteLength }]) => [name, new Uint8Array(buffer, byteOffset, byteLength)] as const,
  )
  writeImage(file, MAGIC, header, contents)
}

/** Undefined unless there is an image of this key and these sections, whole and undamaged. */
export function readJudgementImage(file: string, key: string, parts: LedgerParts): KeptJudgement | undefined {
  return readImage(file, MAGIC, ({ header, pieces, fill }) => {
    const { key: ownKey, sections, head } = header as unknown as Header
    if (ownKey !== key || sections !== sectionsSum(parts)) return undefined
    const most = Float64Array.BYTES_PER_ELEMENT * Math.max(MOST_LEARNT, parts.rows)
    const columns: Record<string, Float64Array | Uint32Array> = {}
    for (const piece of pieces) {
      if (!(piece.bytes <= most)) return undefined
      const array = piece.name === 'numbers' ? new Uint32Array(piece.bytes / 4) : new Float64Array(piece.bytes / 8)
      if (!fill(piece, new Uint8Array(array.buffer))) return undefined
      columns[piece.name] = array
    }
    return unpackJudgement({ head, columns }, parts.rows, parts.sections.parents.length)
  })
}

/** No column of a model has more numbers: 64 periods for each of 65,536 sections. */
const MOST_LEARNT = 2 ** 22

/** In which section each document is, and which sections there are, as a number. */
function sectionsSum({ rows, sections: { byDocument, parents } }: LedgerParts): number {
  const placed = Math.min(byDocument.length, rows)
  const ofDocuments = sumOf(new Uint8Array(byDocument.buffer, byDocument.byteOffset, 2 * placed))
  return (ofDocuments ^ sumOf(new Uint8Array(Uint32Array.from(parents).buffer))) >>> 0
}
