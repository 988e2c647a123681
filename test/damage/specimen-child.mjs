/**
 * Makes a specimen in the folder of its first argument, of the size of the third, and its looks in the file of the
 * second; then closes it, or is killed.
 */
import { writeFileSync } from 'node:fs'
import { makeSpecimen } from './specimen.mjs'

const [, , folder, looksFile, size, end] = process.argv
const { index, looks } = await makeSpecimen(folder, size)
writeFileSync(looksFile, JSON.stringify(looks))
if (end === 'killed') process.kill(process.pid, 'SIGKILL')
await index.close()
