/** Ends the process in the way named by its argument while an index is in use. */
import { Worker } from 'node:worker_threads'
import { Freshdex } from 'freshdex'

const large = Array.from({ length: 200 }, (_, nth) => ({
  id: nth,
  body: Array.from({ length: 2_000 }, (_each, word) => `w${nth}x${word}`).join(' '),
}))

let onAnalyze = () => {}
const analyzer = {
  name: 'blanks',
  version: '1',
  analyze(text) {
    onAnalyze()
    return text.split(' ')
  },
}

const options = { key: 'id', fields: { body: {} } }
const index = await Freshdex.open(':memory:', options)
await index.write({ put: [{ id: 'first', body: 'first words' }] })

const ways = {
  'falls off the end with an open index': () => {},
  'falls off the end with a snapshot': () => {
    globalThis.kept = index.snapshot()
  },
  'falls off the end with a write under way': () => {
    void index.write({ put: large }).then(({ added }) => console.log(`added ${added}`))
  },
  'falls off the end with writes in the queue and a close': () => {
    void index.write({ put: large })
    void index.write({ remove: [1] }).then(({ removed }) => console.log(`removed ${removed}`))
    void index.close()
  },
  'exits with an open index': () => process.exit(0),
  'exits with a snapshot': () => {
    globalThis.kept = index.snapshot()
    process.exit(0)
  },
  'exits with a write under way': () => {
    void index.write({ put: large })
    process.exit(0)
  },
  'exits a little later in a write': () => {
    void index.write({ put: large })
    setTimeout(() => process.exit(0), 3)
  },
  'exits with a check and a compaction under way': () => {
    void index.check()
    void index.compact()
    setImmediate(() => process.exit(0))
  },
  'exits inside of an analyzer': async () => {
    const other = await Freshdex.open(':memory:', { ...options, analyzer })
    onAnalyze = () => process.exit(0)
    void other.write({ put: large })
  },
  'exits in a listener of exit that searches': () => {
    process.on('exit', () => console.log(`found ${index.search('first').total}`))
    process.exit(0)
  },
  'exits with an index open in a worker': () => {
    const worker = new Worker(new URL(import.meta.url), { argv: ['falls off the end with a write under way'] })
    worker.once('online', () => setTimeout(() => process.exit(0), 20))
  },
}

await ways[process.argv[2]]()
