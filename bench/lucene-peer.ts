/** Runs peers/LuceneParity.java on documents and queries, both as tokens, and reads its answers. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Misuse } from './bench.js'
import { firstLineOf, REPOSITORY } from './machine.js'

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

const SOURCE = path.join(REPOSITORY, 'bench', 'peers', 'LuceneParity.java')
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
    const classPath = [...jars, work].join(path.delimiter)
    run('javac', ['-encoding', 'UTF-8', '-cp', classPath, '-d', work, SOURCE])
    run('java', ['-cp', classPath, 'LuceneParity', work])
    return readAnswers(path.join(work, 'answers'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

export function javaVersion(): string {
  return firstLineOf('java', ['-version'])
}

function run(program: string, args: string[]): void {
  const { error, status } = spawnSync(program, args, { stdio: ['ignore', 2, 2] })
  if (error) throw new Misuse(`${program} cannot be run (${error.message}); ${INSTALL}`)
  if (status !== 0) throw new Error(`${program} ended with exit code ${status}`)
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
