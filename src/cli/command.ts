/** The frame of a command: what a command says of itself, and how that becomes a command of the program. */
import { Argument as CommanderArgument, type Command as CommanderCommand, Option } from 'commander'
import {
  type Argument,
  type ArgumentValues,
  flag,
  type OptionLine,
  type OptionTable,
  type OptionValues,
} from './options.js'
import { type Outcome, printOutcome } from './output/output.js'

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
  run(args: ArgumentValues<Args>, options: OptionValues<Table> & { readonly json: boolean }): Outcome | Promise<Outcome>
}

/** A command that only has commands below it, such as `freshdex workload`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[]
}

/** Lets the types of what `run` is given follow from the arguments and options of the command. */
export function command<const Args extends readonly Argument[] = readonly [], Table extends OptionTable = OptionTable>(
  command: Command<Args, Table>,
): Command {
  return command as unknown as Command
}

export function addCommand(parent: CommanderCommand, added: Command | CommandGroup): void {
  const command = parent.command(added.name).description(added.summary)
  if ('commands' in added) {
    for (const each of added.commands) addCommand(command, each)
    return
  }
  const { args = [], options = {}, examples } = added
  for (const each of args) command.addArgument(argumentOf(each))
  const all = 'json' in options ? options : { ...options, json: flag('print one JSON document') }
  for (const [name, line] of Object.entries(all)) command.addOption(optionOf(name, line))
  addExamples(command, ...examples)
  command.action(async (...given: unknown[]) => {
    const values = given[args.length] as { readonly json: boolean }
    await printOutcome(await added.run(given.slice(0, args.length), values), values.json)
  })
}

function argumentOf({ name, text, read, fallback }: Argument): CommanderArgument {
  const argument = new CommanderArgument(name, text)
  if (read !== undefined) argument.argParser(read)
  return fallback === undefined ? argument : argument.default(fallback)
}

function optionOf(name: string, line: OptionLine): Option {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const flags = `--${line.isNegated ? 'no-' : ''}${words}${line.value === undefined ? '' : ` ${line.value}`}`
  const option = new Option(flags, line.text).makeOptionMandatory(line.isRequired === true)
  if (line.choices !== undefined) option.choices(line.choices)
  if (line.read !== undefined) option.argParser(line.read)
  if (line.fallback !== undefined) option.default(line.fallback)
  return line.group === undefined ? option : option.helpGroup(line.group)
}

/** Examples below the help of a command, a line each. */
export function addExamples(command: CommanderCommand, ...lines: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
