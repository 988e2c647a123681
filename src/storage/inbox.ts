/** The inbox of a folder, as readers and the writer of the index see it: src/catalog/inbox.ts is the file. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { FreshdexError } from '../base/errors.js'
import type { IndexIdentity } from '../catalog/identity.js'
import { ForeignInbox, type InboxFile, OpenInbox, removeInbox, waitingRows } from '../catalog/inbox.js'
import type { CatalogThread } from '../catalog/thread.js'
import type { Inbox, InboxMark, InboxPortion, LearntRow, Outbox } from '../workload/learnt-rows.js'
import type { IndexFolder } from './folder.js'

/** A reader's side. The file is opened when there is something to leave. */
export class FolderOutbox implements Outbox {
  readonly #inbox: InboxFile
  readonly #folder: string
  #open: OpenInbox | undefined
  #isAvailable: boolean

  constructor(folder: IndexFolder, identity: IndexIdentity) {
    this.#folder = folder.path
    this.#inbox = { file: folder.inbox, indexId: identity.schema.id }
    this.#isAvailable = this.#mayWrite()
  }

  get isAvailable(): boolean {
    return this.#isAvailable
  }

  append(rows: readonly LearntRow[]): 'kept' | 'later' | 'unavailable' {
    try {
      if (this.#open?.isInPlace === false) this.close()
      if (!this.#mayWrite()) return this.#unavailable()
      this.#open ??= new OpenInbox(this.#inbox)
      this.#open.append(rows)
      this.#isAvailable = true
      return 'kept'
    } catch (error) {
      const code = String((error as { readonly code?: unknown }).code)
      // The next append opens the file anew: the writer may have replaced it.
      this.close()
      return /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|NOMEM|PROTOCOL)/.test(code) ? 'later' : this.#unavailable()
    }
  }

  waiting(after: InboxMark): number {
    return waitingRows(this.#inbox.file, after)
  }

  close(): void {
    this.#open?.close()
    this.#open = undefined
  }

  #unavailable(): 'unavailable' {
    this.#isAvailable = false
    return 'unavailable'
  }

  #mayWrite(): boolean {
    try {
      accessSync(this.#folder, constants.W_OK)
      const about = lstatSync(this.#inbox.file, { throwIfNoEntry: false })
      if (about !== undefined) accessSync(this.#inbox.file, constants.W_OK)
      return about === undefined || about.isFile()
    } catch {
      return false
    }
  }
}

/** Two changes within this time may leave a file with the same time of change: some file systems keep whole seconds. */
const SETTLED_MS = 2000

/** The writer's side. It works in the thread of the catalog, and only when the file has changed. */
export class DiskInbox implements Inbox {
  readonly #inbox: InboxFile
  readonly #thread: () => CatalogThread
  /** How the file looked when nothing was left in it. */
  #emptyLook = ''
  #failure: string | undefined

  constructor(folder: IndexFolder, identity: IndexIdentity, thread: () => CatalogThread) {
    this.#inbox = { file: folder.inbox, indexId: identity.schema.id }
    this.#thread = thread
  }

  get failure(): string | undefined {
    return this.#failure
  }

  async take(after: InboxMark): Promise<InboxPortion | undefined> {
    const look = this.#look()
    if (look === undefined || look.text === this.#emptyLook) return undefined
    const { file } = this.#inbox
    try {
      const portion = await this.#thread().run({ kind: 'take', inbox: this.#inbox, after })
      if (portion === undefined && Date.now() - look.changedMs > SETTLED_MS) this.#emptyLook = look.text
      return portion as InboxPortion | undefined
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#failure = `the inbox could not be read and was replaced: ${(error as Error).message}`
      removeInbox(file)
      return undefined
    }
  }

  async clear(mark: InboxMark): Promise<void> {
    if (this.#look() === undefined) return
    await this.#thread().run({ kind: 'clear', inbox: this.#inbox, mark })
  }

  /** Undefined where there is nothing, or a link, which is left alone. */
  #look(): { readonly text: string; readonly changedMs: number } | undefined {
    const about = lstatSync(this.#inbox.file, { throwIfNoEntry: false })
    if (about === undefined || !about.isFile()) return undefined
    return { text: `${about.ino} ${about.size} ${about.mtimeMs}`, changedMs: about.mtimeMs }
  }
}

function isDamage(error: unknown): boolean {
  const isForeign = error instanceof ForeignInbox || (error as { readonly code?: unknown }).code === 'FOREIGN_INBOX'
  return isForeign || (error instanceof FreshdexError && error.code === 'CORRUPT')
}
