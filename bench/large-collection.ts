/** One large collection of pages, read as it comes: title and text of a page are one text. */
import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { Misuse } from './bench.js'

export interface TextPage {
  readonly url: string
  readonly text: string
}

const PAGES_FILE = 'pages.ndjson.br'

/** Whether a folder has one large collection, and not the snapshots of a site. */
export function isCollection(folder: string): boolean {
  return existsSync(path.join(folder, PAGES_FILE))
}

/** The first `most` pages of a folder. */
export async function* readTextPages(folder: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<TextPage> {
  const file = path.join(folder, PAGES_FILE)
  if (!existsSync(file)) throw new Misuse(`--data must name a folder with ${PAGES_FILE}: there is none in ${folder}`)
  const source = createReadStream(file)
  let left = most
  try {
    for await (const line of createInterface({ input: source.pipe(createBrotliDecompress()) })) {
      if (left-- <= 0) return
      const { url, title, text } = JSON.parse(line) as TextPage & { readonly title: string }
      yield { url, text: `${title}\n${text}` }
    }
  } finally {
    source.destroy()
  }
}
