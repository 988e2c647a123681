/** Opens an index with one more field, and says so once some documents have it. */
import { Freshdex } from '../../dist/index.js'

const index = await Freshdex.open(process.argv[2], {
  key: 'id',
  fields: { notes: { boost: 3 }, title: { boost: 2 }, body: {} },
})
const look = setInterval(() => {
  if (index.reindexing.progress.done < 200) return
  clearInterval(look)
  process.stdout.write('some\n')
}, 1)
await index.reindexing
process.stdout.write('all\n')
await new Promise(() => setInterval(() => {}, 1000))
