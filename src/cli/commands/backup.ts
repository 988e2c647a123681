import { command } from '../command.js'
import { withIndex } from '../index-access.js'
import { folder, INDEX_FOLDER } from '../options.js'
import { byteSize, count } from '../output/wording.js'

export const backup = command({
  name: 'backup',
  summary: 'copy an index into a new folder, whole or not at all',
  args: [INDEX_FOLDER, { name: '<target>', text: 'the folder to make', read: folder }],
  examples: ['freshdex backup pages.idx backups/pages-monday.idx'],
  async run([dir, target]) {
    const report = await withIndex(dir, {}, (index) => index.backup(target))
    return { json: report, text: `${count(report.files, 'file')} of ${byteSize(report.bytes)} copied to ${target}` }
  },
})
