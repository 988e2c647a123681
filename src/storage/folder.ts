/** What an index on disk consists of: a folder with the catalog, the segments, a lock, and an inbox for readers. */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { FreshdexError } from '../base/errors.js'
import { inFiles, requirePlain } from '../base/plain-files.js'

const CATALOG = 'catalog.db'
const SEGMENTS = 'segments'
const LOCK = 'lock'
const LEDGER_IMAGE = 'ledger.img'
const JUDGEMENT_IMAGE = 'judgement.img'
const INBOX = 'inbox.db'

/** What a creation that was cut off may have left; anything else belongs to somebody. */
const OURS = new Set([
  ...[CATALOG, INBOX].flatMap((name) => [name, `${name}-wal`, `${name}-shm`, `${name}-journal`]),
  ...[SEGMENTS, LOCK, LEDGER_IMAGE, `${LEDGER_IMAGE}.partial`, JUDGEMENT_IMAGE, `${JUDGEMENT_IMAGE}.partial`],
])

export class IndexFolder {
  readonly path: string
  readonly catalog: string
  readonly segments: string
  readonly lock: string
  /** A copy of the ledger that may be deleted at any time. */
  readonly ledgerImage: string
  /** What was known of the ledger, which may be deleted at any time, too. */
  readonly judgementImage: string
  readonly inbox: string

  constructor(folder: string) {
    this.path = path.resolve(folder)
    this.catalog = path.join(this.path, CATALOG)
    this.segments = path.join(this.path, SEGMENTS)
    this.lock = path.join(this.path, LOCK)
    this.ledgerImage = path.join(this.path, LEDGER_IMAGE)
    this.judgementImage = path.join(this.path, JUDGEMENT_IMAGE)
    this.inbox = path.join(this.path, INBOX)
  }

  get hasCatalog(): boolean {
    return existsSync(this.catalog)
  }

  /** Makes the folder if need be. NOT_AN_INDEX, and nothing touched, when something else is there. */
  create(): void {
    this.refuseStranger()
    if (existsSync(this.segments)) return
    try {
      mkdirSync(this.segments, { recursive: true })
      // A name that was not synced can be gone after a loss of power, and all below it.
      for (const folder of [this.path, path.dirname(this.path)]) syncFolder(folder)
    } catch (cause) {
      throw new FreshdexError('IO', `could not create '${this.path}': ${(cause as Error).message}`, {
        cause,
        detail: { file: this.path },
      })
    }
  }

  /** NOT_AN_INDEX when the path has something other than an index, or what is left of one, or links in its place. */
  refuseStranger(): void {
    this.requirePlain()
    const about = inFiles(this.path, () => statSync(this.path, { throwIfNoEntry: false }))
    if (about === undefined || this.hasCatalog) return
    const names = about.isDirectory() ? inFiles(this.path, () => readdirSync(this.path)) : [this.path]
    const stranger = names?.find((name) => !OURS.has(name))
    if (stranger === undefined) return
    throw new FreshdexError('NOT_AN_INDEX', `'${this.path}' is not an index: it has '${stranger}' and no ${CATALOG}`, {
      detail: { path: this.path },
    })
  }

  /**
   * NOT_AN_INDEX when something that the index needs is a link, a pipe or a device. The folder itself may be a link.
   */
  requirePlain(): void {
    for (const file of [this.catalog, this.lock]) requirePlain(file)
    requirePlain(this.segments, 'folder')
  }

  /**
   * There is no catalog, or an empty one. A creation that was cut off leaves no segment behind: with segments it is
   * damage.
   */
  notFound(): FreshdexError {
    if (this.#hasSegments) return this.#lostCatalog()
    return new FreshdexError(
      'NOT_FOUND',
      `there is no index at '${this.path}'; to make one, open it with key and fields, for writing`,
      { detail: { path: this.path } },
    )
  }

  /**
   * For whoever is about to make a catalog: CORRUPT when one is lost, so that nobody takes its segments for leftovers.
   */
  refuseLostCatalog(): void {
    if (this.#hasSegments) throw this.#lostCatalog()
  }

  get #hasSegments(): boolean {
    return existsSync(this.segments) && readdirSync(this.segments).some((name) => name.endsWith('.seg'))
  }

  #lostCatalog(): FreshdexError {
    const message = `'${this.path}' is damaged: it has segments, but no catalog that names them`
    return new FreshdexError('CORRUPT', message, { detail: { file: this.catalog } })
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
