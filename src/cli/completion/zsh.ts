/** The completion script of zsh. */
import type { Completed, CompletedCommand } from './completed-command.js'

export function zshScript(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, below }) => below !== undefined && path !== '').map(({ path }) => path)
  return `#compdef freshdex
# Completion of freshdex in zsh. Put it into a folder of $fpath, as _freshdex:
#   freshdex completion zsh > ~/.zfunc/_freshdex
_freshdex() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" place=''
  local -a found
  if (( CURRENT > 2 )); then place="\${words[2]}"; fi
  case "$place" in
    (${groups.join('|')}) if (( CURRENT > 3 )); then place="$place \${words[3]}"; fi ;;
  esac
  case "$place $before" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${commands.map(placeCase).join('\n')}
  esac
}
if [[ "$funcstack[1]" == '_freshdex' ]]; then _freshdex "$@"; else compdef _freshdex freshdex; fi
`
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flag, value }) => {
    return value === undefined ? [] : [`    ('${path} ${flag}') ${found(value)}; return ;;`]
  })
}

function placeCase({ path, options, argument, below }: CompletedCommand): string {
  const flags = options.map(({ flag, text }) => described(flag, text))
  const rest =
    below === undefined
      ? found(argument)
      : listed(
          'command',
          below.map(({ name, summary }) => described(name, summary)),
        )
  return `    ('${path}')
      if [[ "$current" == -* ]]; then ${listed('option', flags)}
      else ${rest}; fi ;;`
}

function listed(what: string, entries: readonly string[]): string {
  return `found=(${entries.join(' ')}); _describe ${what === 'option' ? '-o ' : ''}'${what}' found`
}

/** The colon parts a word from its description. */
function described(word: string, text: string): string {
  return `'${word.replaceAll(':', '\\:')}:${text.replaceAll("'", "'\\''")}'`
}

function found(value: Completed): string {
  if (value === 'files') return '_files'
  return value === 'unknown' ? ':' : `compadd -- ${value.words.join(' ')}`
}
