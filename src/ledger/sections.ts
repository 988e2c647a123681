/**
 * In which section of its site each document is: the folder of its URL, or of any other key with '/' in it. Sections
 * follow from the keys, so that they are stored nowhere.
 */
import { sharedMemory } from '../base/bytes.js'
import { foldersOf } from '../base/hosts.js'
import type { Key } from '../base/keys.js'
import type { Steps } from '../base/turns.js'
import type { SectionTree } from '../change/sections.js'

/** What the section of a document takes. */
export const SECTION_BYTES = Uint16Array.BYTES_PER_ELEMENT
/** A section is a 16-bit number: when these are used up, new folders count as the folders above them. */
const MAX_SECTIONS = 2 ** 16

const FIRST_ROWS = 1024

/** All sections, and in which of them each document is. */
export interface SectionParts {
  readonly parents: readonly number[]
  /** The name of each section within its parent; that of the whole site is empty. */
  readonly names: readonly string[]
  /** In shared memory. */
  readonly byDocument: Uint16Array
}

/**
 * All of a key up to the slash before its last part, where that slash alone says in which folder the page is: it is not
 * one of those before a host, and no query, mark or further slash lies around it.
 */
const FOLDER_OF_PAGE = /^([^?#]*[^/?#]\/)[^/?#]+$/

export class Sections implements DocumentSections {
  #parents: number[] = [0]
  #names: string[] = ['']
  /** The folders in each section, by name. */
  readonly #children: (Map<string, number> | undefined)[] = []
  /**
   * Of sections that were taken over, the first folder in each that is in no map yet, and the one after each; 0 for
   * none. Tens of thousands of names in maps would hold the event loop, and most of them are never asked about.
   */
  #firstUnmapped = new Uint32Array()
  #nextUnmapped = new Uint32Array()
  #sectionOf = sharedNumbers(FIRST_ROWS)
  /** Up to its last slash, and the section of the pages in it. */
  #lastFolder: string | undefined
  #lastSection = 0

  get parents(): readonly number[] {
    return this.#parents
  }

  get memoryBytes(): number {
    return this.#sectionOf.byteLength
  }

  /** The section of each document, in shared memory. Replaced when there are more documents. */
  get byDocument(): Uint16Array {
    return this.#sectionOf
  }

  parts(): SectionParts {
    return { parents: this.#parents, names: this.#names, byDocument: this.#sectionOf }
  }

  /** In place of what is here. REQUIRES: nobody else holds the lists, which grow from now on. */
  takeOver({ parents, names, byDocument }: SectionParts): void {
    this.#children.length = 0
    this.#firstUnmapped = new Uint32Array(parents.length)
    this.#nextUnmapped = new Uint32Array(parents.length)
    this.#parents = parents as number[]
    this.#names = names as string[]
    for (let section = parents.length - 1; section > 0; section--) {
      this.#nextUnmapped[section] = this.#firstUnmapped[parents[section]!]!
      this.#firstUnmapped[parents[section]!] = section
    }
    this.#sectionOf = byDocument
    this.#lastFolder = undefined
  }

  /** Makes the maps of folders that writes look into, in steps, so that the first of them need not. */
  *mapping(): Steps<void> {
    for (let section = 0; section < this.#firstUnmapped.length; section++) {
      if (this.#firstUnmapped[section] === 0) continue
      this.#childrenOf(section)
      yield
    }
  }

  of(doc: number): number {
    return doc < this.#sectionOf.length ? this.#sectionOf[doc]! : 0
  }

  place(doc: number, key: Key): void {
    if (doc >= this.#sectionOf.length) {
      const grown = sharedNumbers(2 ** Math.ceil(Math.log2(doc + 1)))
      grown.set(this.#sectionOf)
      this.#sectionOf = grown
    }
    this.#sectionOf[doc] = this.#sectionOfKey(key)
  }

  /** Keys of one folder mostly come one after another: the last one is remembered. */
  #sectionOfKey(key: Key): number {
    const folder = typeof key === 'string' ? FOLDER_OF_PAGE.exec(key)?.[1] : undefined
    if (folder !== undefined && folder === this.#lastFolder) return this.#lastSection
    let section = 0
    for (const name of foldersOf(key)) section = this.#below(section, name)
    this.#lastFolder = folder
    this.#lastSection = section
    return section
  }

  #below(section: number, name: string): number {
    const children = this.#childrenOf(section)
    const known = children?.get(name)
    if (known !== undefined) return known
    if (this.#parents.length === MAX_SECTIONS) return section
    const number = this.#parents.push(section) - 1
    this.#names.push(name)
    if (children === undefined) this.#children[section] = new Map([[name, number]])
    else children.set(name, number)
    return number
  }

  #childrenOf(section: number): Map<string, number> | undefined {
    let child = this.#firstUnmapped[section] ?? 0
    if (child === 0) return this.#children[section]
    const children = new Map<string, number>()
    for (; child !== 0; child = this.#nextUnmapped[child]!) children.set(this.#names[child]!, child)
    this.#firstUnmapped[section] = 0
    this.#children[section] = children
    return children
  }
}

function sharedNumbers(length: number): Uint16Array {
  return new Uint16Array(sharedMemory(length * Uint16Array.BYTES_PER_ELEMENT))
}

/** In which section of its site each document is: pages of a section are taken to change alike. */
export interface DocumentSections extends SectionTree {
  /** 0 for a document of which nothing is known. */
  of(doc: number): number
}

/** All documents are in one section. */
export const NO_SECTIONS: DocumentSections = { parents: [0], of: () => 0 }
