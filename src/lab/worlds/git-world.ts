/** The world of a git repository: its pages at equal distances in time, a page for each file that a pattern matches. */
import type { WorldStep } from '../world.js'
import { type GitTimes, gitMoments } from './git-moments.js'
import { BlobReader, gitRecords } from './git-process.js'
import { globPattern } from './path-glob.js'
import { SnapshotDiffer } from './snapshot-differ.js'
import { pageTextOf } from './text/page-text.js'

export interface GitWorldOptions extends GitTimes {
  /** Patterns of paths from the root of the repository; a file is taken when one of them matches it. */
  readonly paths: readonly string[]
  /** Hears of files that are passed over because they are too large or no text, once for each version. */
  readonly onSkipped?: (path: string) => void
}

export interface GitStep extends WorldStep {
  readonly commit: string
}

/** No page of text is that long. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

interface TreeFile {
  readonly path: string
  readonly object: string
  readonly bytes: number
}

/**
 * The address of a page is its path; a file that is moved is one page gone and one new. It begins with the first page: steps before
 * that would be empty.
 */
export function gitWorld(repository: string, options: GitWorldOptions): AsyncIterable<GitStep> {
  const patterns = options.paths.map(globPattern)
  const isPage = (path: string) => patterns.some((pattern) => pattern.test(path))
  return { [Symbol.asyncIterator]: () => tell(repository, options, isPage) }
}

async function* tell(
  repository: string,
  options: GitWorldOptions,
  isPage: (path: string) => boolean,
): AsyncGenerator<GitStep> {
  const moments = await gitMoments(repository, options)
  const blobs = new BlobReader(repository)
  const differ = new SnapshotDiffer()
  let before = new Map<string, string>()
  let shown = ''
  let hasBegun = false
  try {
    for (const { atMs, commit } of moments) {
      const files = commit === shown ? undefined : await filesOf(repository, commit, isPage)
      // The commit of the step before has the files of the step before.
      for (const path of files === undefined ? before.keys() : []) differ.keep(path)
      for (const file of files ?? []) {
        if (before.get(file.path) === file.object) differ.keep(file.path)
        else await see(file, blobs, differ, options)
      }
      if (files !== undefined) before = new Map(files.map(({ path, object }) => [path, object]))
      shown = commit
      const step = { ...differ.end(atMs), commit }
      hasBegun ||= step.versions.length > 0
      if (hasBegun) yield step
    }
  } finally {
    blobs.close()
  }
}

async function see(
  { path, object, bytes }: TreeFile,
  blobs: BlobReader,
  differ: SnapshotDiffer,
  { onSkipped }: GitWorldOptions,
): Promise<void> {
  const page = bytes > MAX_FILE_BYTES ? undefined : pageTextOf(path, await blobs.read(object))
  if (page === undefined) onSkipped?.(path)
  else differ.see({ url: path, ...page })
}

/** Plain files; links and submodules are no pages. */
async function filesOf(repository: string, commit: string, isPage: (path: string) => boolean): Promise<TreeFile[]> {
  const files: TreeFile[] = []
  for await (const record of gitRecords(repository, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], '\0')) {
    const [, object, bytes, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(record) ?? []
    if (path !== undefined && isPage(path)) files.push({ path, object: object!, bytes: Number(bytes) })
  }
  return files
}
