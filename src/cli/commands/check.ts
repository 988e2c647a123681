import type { Command } from 'commander'
import { type CheckLevel, type CheckReport, FreshdexError } from '../../index.js'
import { addExamples, folder, integer, withReader } from '../command.js'
import { EXIT_FAILURE, print, printJson } from '../output/output.js'
import { count, oneLine } from '../output/wording.js'

export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .description('walk an index and report what is not as it should be; status 1 when there is anything')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--level <n>', '1: checksums; 2: and every structure; 3: and postings against documents', integer(1, 3), 3)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { level, json }: { level: CheckLevel; json: boolean }) => {
      const report = await checkIndex(dir, level)
      if (json) printJson(report)
      else print(tell(report))
      if (!report.ok) process.exitCode = EXIT_FAILURE
    })
  addExamples(command, 'freshdex check pages.idx', 'freshdex check pages.idx --level 1 --json')
}

/** An index that cannot even be opened has a fault too. */
async function checkIndex(dir: string, level: CheckLevel): Promise<CheckReport> {
  try {
    return await withReader(dir, (index) => index.check({ level }))
  } catch (error) {
    if (!(error instanceof FreshdexError)) throw error
    const faults = [{ invariant: error.code, message: error.message }]
    return { ok: false, documents: 0, terms: 0, postings: 0, faults }
  }
}

function tell({ ok, documents, terms, postings, faults }: CheckReport): string {
  const scope = `${count(documents, 'document')}, ${count(terms, 'term')}, ${count(postings, 'posting')}`
  if (ok) return `${scope}, no faults`
  return [
    ...faults.map(({ invariant, message }) => `${invariant}: ${oneLine(message)}`),
    `${scope}, ${count(faults.length, 'fault')}`,
  ].join('\n')
}
