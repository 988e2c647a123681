/** Files that are cut, bent or made up: an import takes all of one or refuses it, and always comes to an end. */
import { gzipSync } from 'node:zlib'
import { Freshdex, FreshdexError, type SignalImportSource } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { jsonLines } from '../../cli/program.js'
import { inPieces } from '../../support/pieces.js'
import { rounds } from '../../support/rounds.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const START = Date.UTC(2025, 0, 1)
const DAY_MS = 86_400_000
const PAGES = 20
const RUNS = rounds(150, 10_000)
const keyOf = (nth: number) => `https://a.example/${nth}?x=1&y=2`
const iso = (days: number) => new Date(START + days * DAY_MS).toISOString()

interface Page {
  url: string
  body: string
}

const numbers = Array.from({ length: PAGES }, (_, nth) => nth)
const escaped = (text: string) => text.replaceAll('&', '&amp;')
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const WHOLE = {
  sitemap: `<?xml version="1.0" encoding="UTF-8"?>\n<!-- é -->\n<s:urlset xmlns:s="${SITEMAP}">\n${numbers
    .map((nth) => `<s:url><s:loc><![CDATA[${keyOf(nth)}]]></s:loc>\n<s:lastmod>${iso(nth % 3)}</s:lastmod></s:url>`)
    .join('\n')}\n</s:urlset>`,
  feed: `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/">\n${numbers
    .map((nth) => `<entry><link href='${escaped(keyOf(nth))}'/><updated>${iso(nth % 3)}</updated></entry>`)
    .join('\n')}\n</feed>`,
  headers: jsonLines(
    numbers.flatMap((nth) => [
      { url: keyOf(nth), at: iso(1), etag: 'W/"1"', status: 200 },
      { url: keyOf(nth), at: iso(2), headers: { etag: `"${nth % 3}"` } },
    ]),
  ),
}
type Name = keyof typeof WHOLE

async function newIndex() {
  const index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { body: {} } })
  await index.write({ put: numbers.map((nth) => ({ url: keyOf(nth), body: 'x' })) }, { at: START })
  return index
}

function bent(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const copy = Buffer.from(bytes)
  if (random.chance(0.3)) return copy.subarray(0, random.int(copy.length))
  for (let flips = random.between(1, 4); flips > 0; flips--) copy[random.int(copy.length)] = random.int(256)
  if (random.chance(0.8)) return copy
  const [from, to] = [random.int(copy.length), random.int(copy.length)]
  return Buffer.concat([copy.subarray(0, from), copy.subarray(to)])
}

describe('an import', () => {
  test.each(['sitemap', 'feed', 'headers'] as const)(
    'of a bent %s records all that it reports, or nothing',
    async (name) => {
      await withSeed(`bent ${name}`, async (seed) => {
        const random = new SeededRandom(seed)
        let [taken, refused] = [0, 0]
        let index = await newIndex()
        for (let run = 0; run < RUNS; run++) {
          const whole = Buffer.from(WHOLE[name])
          const bytes = random.chance(0.2) ? bent(gzipSync(whole), random) : bent(whole, random)
          const source = random.chance(0.5) ? bytes : inPieces(bytes, random.between(1, 700))
          const reported = await outcomeOf(index, { [name]: source } as unknown as SignalImportSource)
          expect(signalsOf(index)).toBe(reported ?? 0)
          if (reported === undefined) refused++
          else taken++
          if (reported !== undefined) {
            await index.close()
            index = await newIndex()
          }
        }
        await index.close()
        // Both happen, so that both are tested.
        expect(Math.min(taken, refused)).toBeGreaterThan(RUNS / 50)
      })
    },
  )

  test.each(['sitemap', 'feed'] as const)('of a %s made of parts of markup ends', async (name) => {
    await withSeed(`soup ${name}`, async (seed) => {
      const random = new SeededRandom(seed)
      await using index = await newIndex()
      const parts = [
        ...[
          '<urlset>',
          '</urlset>',
          '<url>',
          '</url>',
          '<loc>',
          '</loc>',
          '<rss><channel>',
          '<item>',
          '<link/>',
          '<feed xml:base="',
        ],
        ...[
          '<!--',
          '-->',
          '<![CDATA[',
          ']]>',
          '<?',
          '?>',
          '<!DOCTYPE',
          '[',
          ']',
          '<',
          '>',
          '"',
          "'",
          '&',
          ';',
          '&#x',
          '=',
          ' ',
          '\n',
        ],
        ...['xmlns:a="b"', 'a', ':', '\ufeff', '\ud800', '\0', '😀'],
      ]
      for (let run = 0; run < RUNS; run++) {
        const text = Array.from({ length: random.int(40) }, () => random.pick(parts)).join('')
        await outcomeOf(index, { [name as Name]: text } as unknown as SignalImportSource)
      }
      expect(signalsOf(index)).toBe(0)
    })
  })
})

/** The signals that it reports, or undefined when it refuses the file. */
async function outcomeOf(index: Freshdex<Page>, source: SignalImportSource): Promise<number | undefined> {
  try {
    return (await index.refresh.importSignals(source, { at: START + 5 * DAY_MS })).signals
  } catch (error) {
    expect(error).toBeInstanceOf(FreshdexError)
    expect((error as FreshdexError).code).toBe('MALFORMED')
    return undefined
  }
}

function signalsOf(index: Freshdex<Page>): number {
  return numbers.reduce((sum, nth) => sum + (index.refresh.explain(keyOf(nth))?.signals?.count ?? 0), 0)
}
