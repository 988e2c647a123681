import type { Command } from 'commander'
import type { AddReport } from '../discovery/frontier-book.js'
import { addExamples } from './examples.js'
import { readFoundPages } from './frontier-lines.js'
import { withIndex } from './open-index.js'
import { folder } from './option-values.js'
import { print, printJson } from './output.js'
import { TIME_RULE, time } from './time-text.js'
import { count, thousands } from './wording.js'

interface AddCommandOptions {
  readonly file: string
  readonly at?: number
  readonly json: boolean
}

export function addFrontierAddCommand(frontier: Command): void {
  const command = frontier
    .command('add')
    .description('say that pages exist')
    .argument('<dir>', 'the folder of the index', folder)
    .requiredOption('--file <file>', 'JSON lines with url, and optionally anchors and inlinks; -: standard input')
    .option('--at <time>', `when they were found: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { file, at = Date.now(), json }: AddCommandOptions) => {
      // Before the index is opened: a bad line leaves it as it was, and whoever writes slowly keeps no other writer out.
      const pages = await readFoundPages(file)
      const report = await withIndex(dir, {}, async (index) => {
        const added = await index.frontier.add(pages, { at })
        // Commands that only look learn nothing: what pages fetched since have taught is kept here.
        await index.frontier.next({ budget: 0, at })
        return added
      })
      if (json) printJson(report)
      else print(tell(report))
    })
  addExamples(
    command,
    'freshdex frontier add pages.idx --file links.jsonl',
    `echo '{"url":"/island/inn","anchors":["the inn"],"inlinks":3}' | freshdex frontier add pages.idx --file - --json`,
  )
}

function tell({ added, updated, known }: AddReport): string {
  return `${count(added, 'page')} added, ${thousands(updated)} known to the frontier, ${thousands(known)} known as documents`
}
