/** The arguments and options of commands: how a command lists them, and the readers that check what was given. */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { InvalidArgumentError } from 'commander'
import { describe } from '../base/describe.js'
import { DEFAULT_POLICY, type Key, POLICY_NAMES, type PolicyChoice } from '../index.js'
import { IN_MEMORY } from '../storage/open.js'
import { readPolicy } from './input/policy-choice.js'
import { BUDGET_RULE, type Budget, parseBudget, parseSpan, parseTime, SPAN_RULE, TIME_RULE } from './input/values.js'

/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {}

/** Turns TypeError and RangeError, with which the library refuses arguments, into errors of usage. */
export async function asUsage<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

export interface Argument<Value = unknown> {
  /** As help shows it: `<key>`, `[key]` if it may be absent, `[files...]` if it takes all that follow. */
  readonly name: string
  readonly text: string
  read?(text: string): Value
  readonly choices?: readonly string[]
  readonly fallback?: Value
}

/** What `run` is given for the arguments. */
export type ArgumentValues<Args extends readonly Argument[]> = {
  readonly [At in keyof Args]: Args[At] extends Argument<infer Value> ? Value : never
}

export function argument(name: string, text: string, fallback?: string): Argument<string>
export function argument<Value>(name: string, text: string): Argument<Value>
export function argument(name: string, text: string, fallback?: string): Argument {
  return { name, text, ...(fallback === undefined ? {} : { fallback }) }
}

/** One option. Its long flag is its name in the table: `perHost` is `--per-host`. */
export interface OptionLine<Value = unknown> {
  /** How help calls the value, such as `<n>`. A switch has none. */
  readonly value?: string
  readonly text: string
  /** InvalidArgumentError for a text that is no value. `sofar` is the value if the option was given before. */
  read?(text: string, sofar?: Value): Value
  readonly choices?: readonly string[]
  readonly fallback?: Value
  /** How help calls the default, where that is not how one would type it. */
  readonly defaultText?: string
  readonly isRequired?: boolean
  /** The flag begins with `--no-` and makes the value false. */
  readonly isNegated?: boolean
  /** Names of options that cannot be given beside this one. */
  readonly conflicts?: readonly string[]
  /** A heading of the help, if it is not `Options:`. */
  readonly group?: string
}

export type OptionTable = Readonly<Record<string, OptionLine>>

type ValueOf<Line> = Line extends OptionLine<infer Value> ? Value : never

/** What `run` is given for the options: those that may be undefined are absent when they were not given. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? never : Name]: ValueOf<Table[Name]>
} & {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? Name : never]?: NonNullable<
    ValueOf<Table[Name]>
  >
}

export type Reader<Value> = (text: string, sofar?: Value) => Value

export function required<Value>(value: string, text: string, read: Reader<Value>): OptionLine<Value>
export function required(value: string, text: string): OptionLine<string>
export function required(value: string, text: string, read?: Reader<unknown>): OptionLine {
  return { value, text, isRequired: true, ...(read && { read }) }
}

export function optional<Value>(value: string, text: string, read: Reader<Value>): OptionLine<Value | undefined>
export function optional(value: string, text: string): OptionLine<string | undefined>
export function optional(value: string, text: string, read?: Reader<unknown>): OptionLine {
  return { value, text, ...(read && { read }) }
}

export function withDefault<Value>(
  value: string,
  text: string,
  fallback: NoInfer<Value>,
  read: Reader<Value>,
): OptionLine<Value>
export function withDefault(value: string, text: string, fallback: string): OptionLine<string>
export function withDefault(value: string, text: string, fallback: unknown, read?: Reader<unknown>): OptionLine {
  return { value, text, fallback, ...(read && { read }) }
}

/** An option whose value is one of a few words. */
export function choice<const Word extends string>(
  value: string,
  text: string,
  choices: readonly Word[],
): OptionLine<Word | undefined>
export function choice<const Word extends string>(
  value: string,
  text: string,
  choices: readonly Word[],
  fallback: NoInfer<Word>,
): OptionLine<Word>
export function choice(value: string, text: string, choices: readonly string[], fallback?: string): OptionLine {
  return { value, text, choices, ...(fallback === undefined ? {} : { fallback }) }
}

export function flag(text: string): OptionLine<boolean> {
  return { text }
}

/** A switch that is on unless `--no-` and its name are given. */
export function onUnlessNegated(text: string): OptionLine<boolean> {
  return { text, isNegated: true }
}

/** A moment that is now unless it is given; the command takes the time when it runs. */
export function timeOf(what: string): OptionLine<number | undefined> {
  return optional('<time>', `${what}: ${TIME_RULE} (default: now)`, time)
}

/** Options that help shows below a heading of their own. */
export function grouped<Table extends OptionTable>(group: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, line]) => [name, { ...line, group }])) as unknown as Table
}

export function integer(low: number, high = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= low && value <= high) return value
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
  }
}

/** A decimal number of at least `low`, or above it. */
export function amount(low: number, isAbove = false): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isNumber = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && value < Number.POSITIVE_INFINITY
    if (isNumber && (isAbove ? value > low : value >= low)) return value
    throw new InvalidArgumentError(`It must be a number ${isAbove ? 'above' : 'of at least'} ${low}.`)
  }
}

/** The seed of a generator of random numbers, which has 32 bits. */
export const seed = integer(0, 2 ** 32 - 1)

/** `5%` as a share, here 0.05; also `0%`. */
export function share(text: string): number {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(text) ?? []
  const value = Number(percent) / 100
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('It must be a share from 0% to 100%, such as 5%.')
}

/** A moment, in milliseconds since 1970. */
export function time(text: string): number {
  const ms = parseTime(text)
  if (ms === undefined) throw new InvalidArgumentError(`It must be a time: ${TIME_RULE}.`)
  return ms
}

/** A length of time, in milliseconds. */
export function span(text: string): number {
  const ms = parseSpan(text)
  if (ms === undefined) throw new InvalidArgumentError(`It must be a length of time: ${SPAN_RULE}.`)
  return ms
}

export function budget(text: string): Budget {
  const value = parseBudget(text)
  if (value === undefined) throw new InvalidArgumentError(`It must be ${BUDGET_RULE}.`)
  return value
}

/** The folder of an index. `:memory:` is refused, because an index in memory would be gone with the process. */
export function folder(text: string): string {
  if (text === '' || text === IN_MEMORY) throw new InvalidArgumentError('It must be the path of a folder.')
  return text
}

/** The path of a file, which need not be there. */
export function filePath(text: string): string {
  if (text === '' || isFolder(text)) throw new InvalidArgumentError('It must be the path of a file.')
  return text
}

/** A file to write. Its folder must be there: long work is not to end without a place for its result. */
export function newFile(text: string): string {
  const file = filePath(text)
  const parent = path.dirname(file)
  if (isFolder(parent)) return file
  throw new InvalidArgumentError(`There is no folder ${parent}.`)
}

function isFolder(file: string): boolean {
  return existsSync(file) && statSync(file).isDirectory()
}

/** One or several of a few words, with commas between them; each counts once. */
export function oneOrMore<Word extends string>(choices: readonly Word[]): (text: string) => readonly Word[] {
  return (text) => {
    const words = [...new Set(text.split(','))]
    if (words.every((word) => (choices as readonly string[]).includes(word))) return words as Word[]
    throw new InvalidArgumentError(`It must be one or several of ${choices.join(', ')}, with commas between them.`)
  }
}

/** `title,body` */
export function nameList(text: string): readonly string[] {
  const names = text.split(',')
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}

/** A key as the command line has it: `17` and `"17"` are different keys, and only the user knows which is meant. */
export function keyOf(text: string, isNumber: boolean): Key {
  if (!isNumber) return text
  if (!/^-?\d+$/.test(text)) throw new UsageError(`a number key must be a whole number, received ${describe(text)}`)
  return Number(text)
}

export const INDEX_FOLDER: Argument<string> = { name: '<dir>', text: 'the folder of the index', read: folder }
export const KEY = argument('<key>', 'the key of the document')
export const KEYS: OptionLine<boolean> = {
  ...flag('print plain keys, one on each line, for pipes'),
  conflicts: ['json'],
}
export const NUMBER_KEY = flag('keys are numbers, not strings')
export const POLICY: OptionLine<PolicyChoice> = {
  value: '<name>',
  text: 'what makes a document worth a refresh, with options behind a colon: see freshdex policies',
  read: readPolicy,
  choices: POLICY_NAMES,
  fallback: DEFAULT_POLICY,
}
