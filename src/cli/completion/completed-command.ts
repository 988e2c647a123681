/** The commands of the program as a shell completes them. */
import type { Command, CommandGroup } from '../command.js'
import { flagOf } from '../option-words.js'
import { flag, type OptionLine } from '../options.js'

/** What can follow: words of a list, names of files, or what no shell can know. */
export type Completed = { readonly words: readonly string[] } | 'files' | 'unknown'

export interface CompletedOption {
  /** Such as `--budget`. */
  readonly flag: string
  readonly text: string
  /** Undefined for a switch. */
  readonly value?: Completed
}

/** A command, or a group of commands. */
export interface CompletedCommand {
  /** The words behind the name of the program: none for the program itself, such as `workload import` for a command. */
  readonly path: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
  readonly argument: Completed
  /** Names and summaries of the commands below a group; undefined for a command. */
  readonly below?: readonly { readonly name: string; readonly summary: string }[]
}

/** The program and all that is below it, each command behind the group that it is in. */
export async function completedCommands(commands: CommandGroup['commands']): Promise<CompletedCommand[]> {
  return completed({ name: '', summary: '', commands }, '')
}

async function completed(each: Command | CommandGroup, path: string): Promise<CompletedCommand[]> {
  if (!('commands' in each)) return [completedCommand(each, path)]
  const below = await Promise.all(
    'map' in each.commands ? (each.commands as readonly Command[]) : Object.values(each.commands).map((load) => load()),
  )
  const all = await Promise.all(below.map((one) => completed(one, `${path} ${one.name}`.trim())))
  const names = below.map(({ name, summary }) => ({ name, summary }))
  const group = { path, summary: each.summary, options: [HELP], argument: 'unknown', below: names } as const
  return [group, ...all.flat()]
}

const HELP: CompletedOption = { flag: '--help', text: 'display help' }

function completedCommand({ summary, args = [], options = {} }: Command, path: string): CompletedCommand {
  const all = 'json' in options ? options : { ...options, json: flag('print one JSON document') }
  const choices = args.find((each) => each.choices !== undefined)?.choices
  const hasFiles = args.some(({ name }) => FILES.test(name))
  return {
    path,
    summary,
    options: [...Object.entries(all).map(([name, line]) => completedOption(name, line)), HELP],
    argument: choices !== undefined ? { words: choices } : hasFiles ? 'files' : 'unknown',
  }
}

function completedOption(name: string, { text, value, choices, isNegated }: OptionLine): CompletedOption {
  const flag = isNegated ? flagOf(name).replace('--', '--no-') : flagOf(name)
  if (value === undefined) return { flag, text }
  return { flag, text, value: choices !== undefined ? { words: choices } : FILES.test(value) ? 'files' : 'unknown' }
}

/** What arguments and values are called that are files or folders. */
const FILES = /^[<[](?:dir|out|target|file|files|folder|repository)(?:\.\.\.)?[>\]]$/
