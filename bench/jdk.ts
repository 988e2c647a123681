/** Where a Java Development Kit may lie, and the newest one that is there. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

export interface Jdk {
  readonly home: string
  readonly version: string
}

const NAMED_BY = ['FRESHDEX_BENCH_JAVA_HOME', 'JAVA_HOME']
const FOLDERS = ['/usr/lib/jvm', '/opt', '/usr/local', '/Library/Java/JavaVirtualMachines']

/** One with a compiler, of at least this major version; the one that a variable names comes before newer ones. */
export function findJdk(leastMajor: number): Jdk | undefined {
  const isNewEnough = ({ version }: Jdk) => majorOf(version) >= leastMajor
  const named = NAMED_BY.flatMap((name) => process.env[name] ?? []).flatMap(jdkAt)
  const kept = [...FOLDERS, path.join(homedir(), '.sdkman/candidates/java')].flatMap(childrenOf).flatMap(jdkAt)
  const others = [...kept, ...jdkOfPath()].sort((left, right) => majorOf(right.version) - majorOf(left.version))
  return [...named, ...others].find(isNewEnough)
}

export function describeSearch(): string {
  return `looked at ${NAMED_BY.join(', ')}, ${FOLDERS.join(', ')}, SDKMAN's folder and PATH`
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}

function childrenOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => [path.join(folder, name), path.join(folder, name, 'Contents', 'Home')])
}

/** A kit says its version in a file. */
function jdkAt(home: string): Jdk[] {
  const file = path.join(home, 'release')
  if (!existsSync(file) || !existsSync(path.join(home, 'bin', 'javac'))) return []
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1]
  return version === undefined ? [] : [{ home, version }]
}

function jdkOfPath(): Jdk[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const compiler = folders.map((folder) => path.join(folder, 'javac')).find((file) => existsSync(file))
  return compiler === undefined ? [] : jdkAt(path.dirname(path.dirname(realpathSync(compiler))))
}
