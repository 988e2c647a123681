/** Runs the programs of peers/ that ask Lucene: for its answers to queries, and for the size of its index. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Misuse } from './bench.js'
import { firstLineOf, REPOSITORY } from './machine.js'
import type { Page } from './snapshot-data.js'

export interface TokenPage {
  /** Tokens separated by one space. */
  readonly title: string
  readonly text: string
}

export interface LuceneAnswer {
  readonly total: number
  /** The best ten: document (its place in the input) and score. */
  readonly hits: readonly { readonly document: number; readonly score: number }[]
}

export interface LuceneAnswers {
  readonly version: string
  /** By configuration, then by the place of the query. */
  readonly answers: ReadonlyMap<string, readonly LuceneAnswer[]>
}

const PEERS = path.join(REPOSITORY, 'bench', 'peers')
const INSTALL = 'on Debian and its kin: apt install liblucene8-java default-jdk-headless'

export function findLuceneJars(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return ['lucene-core', 'lucene-analyzers-common'].map((library) => {
    const jar = names.find((name) => new RegExp(`^${library}-8\\.[0-9.]+\\.jar$`).test(name))
    if (jar === undefined) throw new Misuse(`${library} 8 is not in ${folder}; ${INSTALL}, or say where: --jars DIR`)
    return path.join(folder, jar)
  })
}

export function askLucene(jars: string[], pages: readonly TokenPage[], queries: readonly string[]): LuceneAnswers {
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-lucene-'))
  try {
    writeFileSync(path.join(work, 'documents'), pages.map(({ title, text }) => `${title}\t${text}\n`).join(''))
    writeFileSync(path.join(work, 'queries'), queries.map((query) => `${query}\n`).join(''))
    runPeer(jars, 'LuceneParity', work)
    return readAnswers(path.join(work, 'answers'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

export interface LuceneSizes {
  readonly version: string
  /** An index with positions, and no stored page. */
  readonly plainBytes: number
  /** The same with the pages stored. */
  readonly storedBytes: number
}

export function sizeOfLucene(jars: string[], pages: readonly Page[]): LuceneSizes {
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-lucene-'))
  try {
    const oneLine = (text: string) => text.replaceAll(/[\t\r\n]/g, ' ')
    const lines = pages.map(({ url, title, text }) => `${url}\t${oneLine(title)}\t${oneLine(text)}\n`)
    writeFileSync(path.join(work, 'documents'), lines.join(''))
    const [version = '', plain, stored] = runPeer(jars, 'LuceneSize', work).trim().split('\t')
    return { version, plainBytes: Number(plain), storedBytes: Number(stored) }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

export function javaVersion(): string {
  return firstLineOf('java', ['-version'])
}

/** Compiles and runs one of the programs in peers/; gives what it prints. */
function runPeer(jars: readonly string[], name: string, work: string): string {
  const classPath = [...jars, work].join(path.delimiter)
  run('javac', ['-encoding', 'UTF-8', '-cp', classPath, '-d', work, path.join(PEERS, `${name}.java`)])
  return run('java', ['-cp', classPath, name, work])
}

function run(program: string, args: string[]): string {
  const { error, status, stdout } = spawnSync(program, args, { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' })
  if (error) throw new Misuse(`${program} cannot be run (${error.message}); ${INSTALL}`)
  if (status !== 0) throw new Error(`${program} ended with exit code ${status}`)
  return stdout
}

function readAnswers(file: string): LuceneAnswers {
  const [version = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const answers = new Map<string, LuceneAnswer[]>()
  for (const line of lines) {
    const [configuration = '', , total, ...best] = line.split('\t')
    const hits = best.map((hit) => {
      const [document, score] = hit.split(':')
      return { document: Number(document), score: Number(score) }
    })
    if (!answers.has(configuration)) answers.set(configuration, [])
    answers.get(configuration)!.push({ total: Number(total), hits })
  }
  return { version, answers }
}
