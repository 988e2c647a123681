/** The completion script of fish. */
import type { Completed, CompletedCommand } from './completed-command.js'

export function fishScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of freshdex in fish. To have it in every shell:
#   freshdex completion fish > ~/.config/fish/completions/freshdex.fish

# Whether the words behind the name of the program begin with these.
function __freshdex_at
  set -l words (commandline -opc)
  set -e words[1]
  test (count $words) -ge (count $argv); or return 1
  for at in (seq (count $argv))
    test "$words[$at]" = "$argv[$at]"; or return 1
  end
end

# Whether they are these and no more.
function __freshdex_only
  set -l words (commandline -opc)
  test (count $words) -eq (math (count $argv) + 1); or return 1
  test (count $argv) -eq 0; or __freshdex_at $argv
end

complete -c freshdex -f
${commands.flatMap(lines).join('\n')}
`
}

function lines({ path, options, argument, below }: CompletedCommand): string[] {
  const only = quoted(`__freshdex_only ${path}`.trim())
  if (below !== undefined) {
    return below.map(({ name, summary }) => `complete -c freshdex -n ${only} -a ${name} -d ${quoted(summary)}`)
  }
  const at = quoted(`__freshdex_at ${path}`)
  return [
    ...(argument === 'files' ? [`complete -c freshdex -n ${at} -F`] : []),
    ...(typeof argument === 'object' ? [`complete -c freshdex -n ${only} -a ${quoted(argument.words.join(' '))}`] : []),
    ...options.map(({ flag, text, value }) => {
      return `complete -c freshdex -n ${at} -l ${flag.slice(2)}${valueFlags(value)} -d ${quoted(text)}`
    }),
  ]
}

function valueFlags(value: Completed | undefined): string {
  if (value === undefined) return ''
  if (value === 'files') return ' -r -F'
  return value === 'unknown' ? ' -x' : ` -x -a ${quoted(value.words.join(' '))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
