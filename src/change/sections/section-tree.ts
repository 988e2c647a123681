/**
 * Sections of a site, such as the folders of its URLs, as a tree: each has a number and a parent with a smaller number, the whole is section 0. What is learnt of a section is drawn
 * to what its parent does, so that one with few pages does little by itself.
 */
export interface SectionTree {
  /** By section; that of 0 is 0. */
  readonly parents: ArrayLike<number>
}

/** Those sections of a tree that are large enough to be looked at, numbered anew. */
export interface LargeSections extends SectionTree {
  /** The number here of a section of the whole tree: its own, or that of the nearest one above it. */
  numberOf(section: number): number
}

/** `pages`: the sections of the pages that count. REQUIRES: parents come before their children. */
export function largeSections(tree: SectionTree, pages: Iterable<number>, minPages: number): LargeSections {
  const count = tree.parents.length
  const sizes = new Uint32Array(count)
  for (const section of pages) sizes[section]!++
  for (let section = count - 1; section > 0; section--) sizes[tree.parents[section]!]! += sizes[section]!
  const numbers = new Uint32Array(count)
  const parents = [0]
  for (let section = 1; section < count; section++) {
    const parent = tree.parents[section]!
    // A section with all pages of its parent says nothing that the parent does not.
    const isLarge = sizes[section]! >= minPages && sizes[section]! < sizes[parent]!
    numbers[section] = isLarge ? parents.push(numbers[parent]!) - 1 : numbers[parent]!
  }
  return {
    parents,
    numberOf: (section) => {
      let known = section
      // Made since: its parent is older.
      while (known >= count) known = tree.parents[known]!
      return numbers[known]!
    },
  }
}
