/** In which section of its site each document is: the folder of its URL, or of any other key with '/' in it. Follows from the keys, so that it is nowhere stored. */
import type { Key } from '../documents.js'
import { hostOf } from './host.js'
import type { DocumentSections } from './policy.js'

/** Of a document. */
export const SECTION_BYTES = Uint16Array.BYTES_PER_ELEMENT
/** A section is a 16-bit number: when they are used up, new folders count as the ones above them. */
const MAX_SECTIONS = 2 ** 16
/** Hosts and folders one below the other that are told apart. */
const MAX_DEPTH = 9
const FIRST_ROWS = 1024

export class Sections implements DocumentSections {
  readonly parents: number[] = [0]
  /** By section: its folders, by name. */
  readonly #children: (Map<string, number> | undefined)[] = []
  #sectionOf = new Uint16Array(FIRST_ROWS)

  get memoryBytes(): number {
    return this.#sectionOf.byteLength
  }

  of(doc: number): number {
    return doc < this.#sectionOf.length ? this.#sectionOf[doc]! : 0
  }

  place(doc: number, key: Key): void {
    if (doc >= this.#sectionOf.length) {
      const grown = new Uint16Array(2 ** Math.ceil(Math.log2(doc + 1)))
      grown.set(this.#sectionOf)
      this.#sectionOf = grown
    }
    let section = 0
    for (const name of foldersOf(key)) section = this.#below(section, name)
    this.#sectionOf[doc] = section
  }

  #below(section: number, name: string): number {
    const children = this.#children[section]
    const known = children?.get(name)
    if (known !== undefined) return known
    if (this.parents.length === MAX_SECTIONS) return section
    const number = this.parents.push(section) - 1
    if (children === undefined) this.#children[section] = new Map([[name, number]])
    else children.set(name, number)
    return number
  }
}

/** The host and the folders that a page is in, outermost first; none for a key without any. */
export function foldersOf(key: Key): string[] {
  if (typeof key !== 'string' || !key.includes('/')) return []
  const [path] = key.split(/[?#]/, 1) as [string]
  const authority = AUTHORITY.exec(path)
  const folders = path
    .slice(authority === null ? 0 : authority[0].length)
    .split('/')
    .filter((part) => part !== '')
    .slice(0, -1)
  return (authority === null ? folders : [hostOf(key), ...folders]).slice(0, MAX_DEPTH)
}

const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i
