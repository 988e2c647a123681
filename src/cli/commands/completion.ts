import { type Command, type CommandGroup, command } from '../command.js'
import { bashScript } from '../completion/bash.js'
import { completedCommands } from '../completion/completed-command.js'
import { fishScript } from '../completion/fish.js'
import { zshScript } from '../completion/zsh.js'
import type { Argument } from '../options.js'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
type Shell = keyof typeof SCRIPTS

const SHELL: Argument<Shell> = { name: '<shell>', text: 'which shell', choices: Object.keys(SCRIPTS) }

/** The scripts follow from the tables of the commands, so that they know every option. */
export function completionOf(commands: CommandGroup['commands']): Command {
  return command({
    name: 'completion',
    summary: 'a script with which a shell completes commands, options and values',
    args: [SHELL],
    examples: [
      'freshdex completion bash > ~/.local/share/bash-completion/completions/freshdex',
      'eval "$(freshdex completion bash)"   # in this shell only',
      'freshdex completion zsh > ~/.zfunc/_freshdex',
      'freshdex completion fish > ~/.config/fish/completions/freshdex.fish',
    ],
    async run([shell]) {
      const script = SCRIPTS[shell](await completedCommands(commands))
      return { json: { shell, script }, text: script.trimEnd() }
    },
  })
}
