/**
 * A process that searches, as its parent tells it. Arguments: the folder, the options of the opening as JSON. Commands,
 * one a line: `search QUERY`, `flush`, `close`, `exit`, `stats`; each is answered by a line.
 */
import { createInterface } from 'node:readline'
import { Freshdex } from 'freshdex'

const [folder, options] = process.argv.slice(2)
const index = await Freshdex.open(folder, JSON.parse(options))
const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
answer('open')
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(' ')
  if (command === 'search') {
    index.search(words.join(' '))
    answer(Date.now())
  } else if (command === 'flush') {
    await index.workload.flush()
    answer('flushed')
  } else if (command === 'stats') {
    answer(index.stats().workload)
  } else if (command === 'close') {
    await index.close()
    answer('closed')
  } else if (command === 'leave') {
    // Ends by itself: nothing may keep it alive.
    break
  }
}
