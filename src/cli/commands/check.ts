import { type CheckLevel, type CheckReport, FreshdexError } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { INDEX_FOLDER, integer, withDefault } from '../options.js'
import { EXIT_FAILURE } from '../output/output.js'
import { count, oneLine } from '../output/wording.js'

export const check = command({
  name: 'check',
  summary: 'walk an index and report what is not as it should be; status 1 when there is anything',
  args: [INDEX_FOLDER],
  options: {
    level: withDefault(
      '<n>',
      '1: checksums; 2: and every structure; 3: and postings against documents',
      3,
      integer(1, 3),
    ),
  },
  examples: ['freshdex check pages.idx', 'freshdex check pages.idx --level 1 --json'],
  async run([dir], { level }) {
    const report = await checkIndex(dir, level as CheckLevel)
    return { json: report, text: reportText(report), ...(report.ok ? {} : { status: EXIT_FAILURE }) }
  },
})

/** An index that cannot be opened has a fault, too. */
async function checkIndex(dir: string, level: CheckLevel): Promise<CheckReport> {
  try {
    return await withReader(dir, (index) => index.check({ level }))
  } catch (error) {
    if (!(error instanceof FreshdexError)) throw error
    const faults = [{ invariant: error.code, message: error.message }]
    return { ok: false, documents: 0, terms: 0, postings: 0, faults }
  }
}

function reportText({ ok, documents, terms, postings, faults }: CheckReport): string {
  const scope = `${count(documents, 'document')}, ${count(terms, 'term')}, ${count(postings, 'posting')}`
  if (ok) return `${scope}, no faults`
  return [
    ...faults.map(({ invariant, message }) => `${invariant}: ${oneLine(message)}`),
    `${scope}, ${count(faults.length, 'fault')}`,
  ].join('\n')
}
