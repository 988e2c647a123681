/** The frame of a command: what a command says of itself, and how that becomes a command of the program. */
import { Argument as CommanderArgument, type Command as CommanderCommand, Option } from 'commander'
import { flagOf, inOptionWords } from './option-words.js'
import {
  type Argument,
  type ArgumentValues,
  flag,
  type OptionLine,
  type OptionTable,
  type OptionValues,
  share,
  span,
  UsageError,
} from './options.js'
import { withClock } from './output/clock.js'
import { type Outcome, printOutcome } from './output/output.js'
import { percent, timeSpan } from './output/wording.js'

export interface Command<
  Args extends readonly Argument[] = readonly Argument[],
  Table extends OptionTable = OptionTable,
> {
  readonly name: string
  readonly summary: string
  readonly args?: Args
  /** In the order of the help. Every command has --json; a table that names it says more about it. */
  readonly options?: Table
  readonly examples: readonly string[]
  /** What help says below the examples: texts by their headings. */
  readonly sections?: Readonly<Record<string, string>>
  run(args: ArgumentValues<Args>, options: OptionValues<Table> & { readonly json: boolean }): Outcome | Promise<Outcome>
}

/** A command that only has commands below it, such as `freshdex workload`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[] | LateCommands
}

/** Commands by their names, in the order of the help. Each is a module that is imported only when it is needed. */
export type LateCommands = Readonly<Record<string, () => Promise<Command | CommandGroup>>>

/** Lets the types of what `run` is given follow from the arguments and options of the command. */
export function command<const Args extends readonly Argument[] = readonly [], Table extends OptionTable = OptionTable>(
  command: Command<Args, Table>,
): Command {
  return command as unknown as Command
}

/**
 * Adds commands below a program or a group. `words` are what the user typed behind its name. Commands load much of the
 * library: of late commands, only the one that the first word names is loaded. For help and for mistakes all are.
 */
export async function addCommands(
  parent: CommanderCommand,
  commands: CommandGroup['commands'],
  [asked = '', ...words]: readonly string[],
): Promise<void> {
  for (const each of await loaded(commands, asked)) await addCommand(parent, each, words)
}

async function loaded(commands: CommandGroup['commands'], asked: string): Promise<readonly (Command | CommandGroup)[]> {
  if (isLoaded(commands)) return commands
  const wanted = Object.hasOwn(commands, asked) ? [commands[asked]!] : Object.values(commands)
  return Promise.all(wanted.map((load) => load()))
}

function isLoaded(commands: CommandGroup['commands']): commands is readonly Command[] {
  return Array.isArray(commands)
}

/** `words` are what the user typed behind the name of the command. */
export async function addCommand(
  parent: CommanderCommand,
  added: Command | CommandGroup,
  words: readonly string[] = [],
): Promise<void> {
  const command = parent.command(added.name).description(added.summary)
  if ('commands' in added) return addCommands(command, added.commands, words)
  const { args = [], options = {}, examples, sections } = added
  for (const each of args) command.addArgument(argumentOf(each))
  const all = 'json' in options ? options : { ...options, json: flag('print one JSON document') }
  for (const [name, line] of Object.entries(all)) command.addOption(optionOf(name, line))
  for (const [heading, text] of Object.entries({ Examples: examples.join('\n'), ...sections })) {
    command.addHelpText('after', `\n${heading}:\n${text.replaceAll(/^/gm, '  ')}`)
  }
  command.action(async (...given: unknown[]) => {
    const values = { ...switchesOff(all), ...(given[args.length] as { readonly json: boolean }) }
    await printOutcome(await outcomeOf(added, given.slice(0, args.length), values), values.json)
  })
}

/** Switches that were not given are false. Told of no default, help does not say so behind each of them. */
function switchesOff(options: OptionTable): Record<string, boolean> {
  const switches = Object.entries(options).filter(([, line]) => line.value === undefined && !line.isNegated)
  return Object.fromEntries(switches.map(([name]) => [name, false]))
}

/** What the library refused was said on the command line: the message speaks of the options there. */
async function outcomeOf(command: Command, args: readonly unknown[], values: { readonly json: boolean }) {
  try {
    return await withClock(`freshdex ${command.name}`, () => command.run(args, values))
  } catch (error) {
    if (!(error instanceof UsageError) || error.cause === undefined) throw error
    throw new UsageError(inOptionWords(error.message, command.options ?? {}), { cause: error.cause })
  }
}

function argumentOf({ name, text, read, choices, fallback }: Argument): CommanderArgument {
  const argument = new CommanderArgument(name, text)
  if (choices !== undefined) argument.choices(choices)
  if (read !== undefined) argument.argParser(read)
  return fallback === undefined ? argument : argument.default(fallback)
}

/** A default as one would type it, or say it. */
function defaultText({ fallback, read, defaultText }: OptionLine): string {
  if (defaultText !== undefined) return defaultText
  if (typeof fallback === 'number') {
    return read === span ? timeSpan(fallback) : read === share ? percent(fallback) : String(fallback)
  }
  return Array.isArray(fallback) ? fallback.join(',') : String(fallback)
}

function optionOf(name: string, line: OptionLine): Option {
  const words = flagOf(name).slice(2)
  const flags = `--${line.isNegated ? 'no-' : ''}${words}${line.value === undefined ? '' : ` ${line.value}`}`
  const option = new Option(flags, line.text).makeOptionMandatory(line.isRequired === true)
  if (line.choices !== undefined) option.choices(line.choices)
  if (line.read !== undefined) option.argParser(line.read)
  if (line.fallback !== undefined && line.value !== undefined) option.default(line.fallback, defaultText(line))
  if (line.conflicts !== undefined) option.conflicts([...line.conflicts])
  return line.group === undefined ? option : option.helpGroup(line.group)
}
