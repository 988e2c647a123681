/** The peers: what each is, what it takes to run it, and how its program is made. Everything made lies in .build. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchRequest } from './bench.js'
import { describeSearch, findJdk } from './jdk.js'
import { REPOSITORY } from './machine.js'

/** A program and its first arguments; the task comes after them. */
export type Command = readonly [string, ...string[]]

/** Why a peer cannot be had here. */
export class Absent extends Error {}

export interface Peer {
  readonly name: string
  readonly language: string
  /** What it does to text, and what else is not as in freshdex. */
  readonly differs: string
  /** Whether it has a setting that spares it from counting all matches. */
  readonly canLimit: boolean
  /** Keeps all in memory and is slow with many pages: it gets the small collection. */
  readonly isSmall: boolean
  /** Classes in which it is asked something else than freshdex, so that times do not compare. */
  readonly otherwise?: readonly string[]
  /** Throws Absent. */
  prepare(): Command
}

const SOURCES = path.join(REPOSITORY, 'bench', 'peers')
const MADE = path.join(REPOSITORY, '.build', 'peers')
const LEAST_JAVA = 21
const HOLES = 'phrase with a hole'

export const FRESHDEX: Peer = {
  name: 'freshdex',
  language: 'JavaScript API',
  differs: 'stems of Porter2; stop words left out, with holes in their place; counts up to 1,000 when limited',
  canLimit: true,
  isSmall: false,
  prepare: () => ofNode('freshdex'),
}

export const PEERS: readonly Peer[] = [
  {
    name: 'lucene',
    language: 'Java',
    differs: 'EnglishAnalyzer: stems of Porter, possessives cut, the same stop words; counts up to 1,000 when limited',
    canLimit: true,
    isSmall: false,
    prepare: prepareLucene,
  },
  {
    name: 'tantivy',
    language: 'Rust',
    differs: 'stems of Porter2, the same stop words; keys from a list in memory; counts nothing when limited',
    canLimit: true,
    isSmall: false,
    prepare: prepareTantivy,
  },
  {
    name: 'fts5',
    language: 'JavaScript, better-sqlite3',
    differs: 'stems of Porter, no stop words, so that a hole is a word of the phrase; counts nothing when limited',
    canLimit: true,
    isSmall: false,
    otherwise: [HOLES],
    prepare: () => ofNode('fts5'),
  },
  {
    name: 'xapian',
    language: 'C++',
    differs: 'stems of Porter2, no stop words, so that a hole is a word of the phrase; counts up to 1,000 when limited',
    canLimit: true,
    isSmall: false,
    otherwise: [HOLES],
    prepare: prepareXapian,
  },
  {
    name: 'flexsearch',
    language: 'JavaScript',
    differs: 'English endings, the same stop words, no phrases, no scores like BM25; counts nothing when limited',
    canLimit: true,
    isSmall: true,
    prepare: () => ofNode('flexsearch'),
  },
  {
    name: 'minisearch',
    language: 'JavaScript',
    differs: 'no stems, the same stop words, no phrases; scores and gives all matches',
    canLimit: false,
    isSmall: true,
    prepare: () => ofNode('minisearch'),
  },
  {
    name: 'orama',
    language: 'JavaScript',
    differs: 'stems of Porter2, the same stop words, words found by their beginnings, no phrases; scores all matches',
    canLimit: false,
    isSmall: true,
    prepare: () => ofNode('orama'),
  },
]

/** A peer whose program is there. */
export interface Contender {
  readonly peer: Peer
  readonly command: Command
}

/** Those whose programs can be made; the others go to `absent` with the reason. */
export function preparedPeers(
  peers: readonly Peer[],
  request: BenchRequest,
  absent: Record<string, string>,
): Contender[] {
  return peers.flatMap((peer) => {
    try {
      request.progress(`preparing ${peer.name}`)
      return [{ peer, command: peer.prepare() }]
    } catch (error) {
      if (!(error instanceof Absent)) throw error
      request.progress(`${peer.name} is absent: ${error.message}`)
      absent[peer.name] = error.message
      return []
    }
  })
}

function ofNode(name: string): Command {
  // A program of this size would run out of the heap that V8 allows itself.
  const file = fileURLToPath(new URL(`./peers/${name}.js`, import.meta.url))
  return [process.execPath, '--max-old-space-size=8192', file]
}

function prepareLucene(): Command {
  const jdk = findJdk(LEAST_JAVA)
  if (jdk === undefined) throw new Absent(`no JDK of version ${LEAST_JAVA} or later: ${describeSearch()}`)
  const pom = path.join(SOURCES, 'pom.xml')
  const jars = path.join(MADE, 'lucene', 'jars')
  const stamp = path.join(MADE, 'lucene', 'pom')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(pom, 'utf8')) {
    rmSync(jars, { recursive: true, force: true })
    make('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`])
    writeFileSync(stamp, readFileSync(pom))
  }
  const classes = path.join(MADE, 'lucene', 'classes')
  const classPath = ['-cp', [path.join(jars, '*'), classes].join(path.delimiter)]
  const source = path.join(SOURCES, 'LucenePeer.java')
  make(path.join(jdk.home, 'bin', 'javac'), ['-encoding', 'UTF-8', ...classPath, '-d', classes, source])
  // The module has vectors, with which Lucene decodes its postings, and decoding from mapped files is native access.
  const options = ['--add-modules', 'jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED', '-Xmx2g']
  return [path.join(jdk.home, 'bin', 'java'), ...options, ...classPath, 'LucenePeer']
}

function prepareTantivy(): Command {
  const target = path.join(MADE, 'tantivy')
  const manifest = path.join(SOURCES, 'tantivy', 'Cargo.toml')
  make('cargo', ['build', '--quiet', '--release', '--locked', '--manifest-path', manifest, '--target-dir', target])
  return [path.join(target, 'release', 'tantivy-peer')]
}

function prepareXapian(): Command {
  const flags = make('xapian-config', ['--cxxflags', '--libs']).trim().split(/\s+/)
  const program = path.join(MADE, 'xapian')
  make('g++', ['-std=c++20', '-O2', path.join(SOURCES, 'xapian.cc'), '-o', program, ...flags])
  return [program]
}

function make(program: string, args: readonly string[]): string {
  mkdirSync(MADE, { recursive: true })
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Absent(`${path.basename(program)} cannot be run: ${error.message}`)
  if (status === 0) return stdout
  const said = stderr.split('\n').find((line) => /error/i.test(line)) ?? stderr.split('\n', 1)[0]!
  throw new Absent(`${path.basename(program)} failed: ${said.replaceAll(REPOSITORY, '')}`)
}
