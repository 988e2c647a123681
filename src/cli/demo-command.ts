import type { Command } from 'commander'
import { runDemo } from './demo.js'
import { tellStory } from './demo-story.js'
import { addExamples } from './examples.js'
import { integer } from './option-values.js'
import { complain, EXIT_FAILURE, print, printJson } from './output.js'

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('keep a copy of an invented site fresh under a budget, and tell what happened')
    .option('--json', 'print one JSON document instead of the story', false)
    .option('--pages <n>', 'pages at the beginning, 1 to 100000', integer(1, 100_000), 400)
    .option('--rounds <n>', 'weeks to follow the site, 0 to 52', integer(0, 52), 4)
    .option('--budget <n>', 'pages fetched anew per week, 1 to 100000', integer(1, 100_000), 20)
    .option('--seed <n>', 'which site, 0 to 4294967295', integer(0, 2 ** 32 - 1), 1)
    .action(
      async ({ json, ...options }: { json: boolean; pages: number; rounds: number; budget: number; seed: number }) => {
        const report = await runDemo({ ...options, log: complain })
        if (json) printJson(report)
        else print(tellStory(report))
        if (!report.check.ok) process.exitCode = EXIT_FAILURE
      },
    )
  addExamples(command, 'freshdex demo', 'freshdex demo --pages 2000 --rounds 8 --budget 50 --seed 7')
}
