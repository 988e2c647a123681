/** The completion script of bash 4 and later. */
import type { Completed, CompletedCommand } from './completed-command.js'

export function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, below }) => below !== undefined && path !== '').map(({ path }) => path)
  return `# Completion of freshdex in bash. To have it in every shell:
#   freshdex completion bash > ~/.local/share/bash-completion/completions/freshdex
_freshdex() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place='' words='' files=''
  COMPREPLY=()
  # Bash takes an equals sign for a word of its own.
  if [[ "$current" == '=' ]]; then current=''
  elif [[ "$before" == '=' ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if (( COMP_CWORD > 1 )); then place="\${COMP_WORDS[1]}"; fi
  case "$place" in
    ${groups.join('|')}) if (( COMP_CWORD > 2 )); then place="$place \${COMP_WORDS[2]}"; fi ;;
  esac
  case "$place $before" in
${commands.flatMap(valueCases).join('\n')}
    *) case "$place" in
${commands.map(placeCase).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n "$files" && "$current" != -* ]]; then compopt -o default 2> /dev/null; fi
}
complete -F _freshdex freshdex
`
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flag, value }) =>
    value === undefined ? [] : [`    '${path} ${flag}') ${found(value)} ;;`],
  )
}

function placeCase({ path, options, argument, below }: CompletedCommand): string {
  const flags = options.map(({ flag }) => flag)
  const names = below?.map(({ name }) => name) ?? (typeof argument === 'object' ? argument.words : [])
  const rest = argument === 'files' ? 'files=yes' : `words='${names.join(' ')}'`
  return `      '${path}') if [[ "$current" == -* ]]; then words='${flags.join(' ')}'; else ${rest}; fi ;;`
}

function found(value: Completed): string {
  if (value === 'files') return 'files=yes'
  return value === 'unknown' ? ':' : `words='${value.words.join(' ')}'`
}
