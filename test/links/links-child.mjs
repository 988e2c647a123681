/** Writes pages that link to each other until it is killed, and says which batches it has written. */
import { Freshdex } from '../../dist/index.js'

const [, , folder, from] = process.argv
const index = await Freshdex.open(folder, {
  key: 'url',
  fields: { title: {}, anchors: { from: 'out' } },
  scoring: { weight: { from: 'out' } },
  upkeep: { logBytes: 4_000, foldPostings: 20 },
})
for (let batch = Number(from); ; batch++) {
  const page = (nth) => ({
    url: `/${nth % 40}`,
    title: `page ${nth % 40}`,
    out: Array.from({ length: nth % 6 }, (_, at) => ({
      to: `/${(nth * 7 + at * 3) % 45}`,
      text: `w${(nth + at) % 30}`,
    })),
  })
  await index.write({ put: [page(batch * 3), page(batch * 3 + 1)], remove: [`/${(batch * 3 + 20) % 40}`] })
  process.stdout.write(`${batch}\n`)
}
