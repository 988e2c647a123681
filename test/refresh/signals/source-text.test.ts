import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type ImportSource, textOf } from '../../../src/refresh/signals/readers/source-text.js'
import { collected, inPieces } from '../../support/pieces.js'

async function read(source: ImportSource, isXml = true): Promise<string> {
  return (await collected(textOf('sitemap', source, { isXml }))).join('')
}

const TEXT = '<?xml version="1.0"?><a>é😀</a>'
const LONG = `<a>${'é😀x'.repeat(100_000)}</a>`

describe('the text of a source', () => {
  it.each([
    ['short', TEXT],
    ['long', LONG],
    ['empty', ''],
  ])('is the same from text, bytes, pieces and gzip: %s', async (_, text) => {
    const bytes = Buffer.from(text)
    expect(await read(text)).toBe(text)
    for (const source of [bytes, new Uint8Array(bytes), gzipSync(bytes)]) {
      expect(await read(source)).toBe(text)
      const length = bytes.length > 1000 ? 4097 : 1
      expect(await read(inPieces(source, length))).toBe(text)
      expect(await read(Readable.from([source], { objectMode: false }))).toBe(text)
    }
  })

  it('comes in small pieces, however it is given', async () => {
    const bytes = Buffer.from(LONG)
    const whole = async function* () {
      yield bytes
    }
    for (const source of [LONG, bytes, whole(), gzipSync(bytes)]) {
      const pieces = await collected(textOf('sitemap', source, { isXml: true }))
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16 * 1024)
    }
  })

  it('is in the encoding that it says', async () => {
    const declared = (label: string) => `<?xml version="1.0" encoding='${label}'?><a>é</a>`
    expect(await read(Buffer.from(declared('ISO-8859-1'), 'latin1'))).toBe(declared('ISO-8859-1'))
    expect(await read(gzipSync(Buffer.from(declared('windows-1252'), 'latin1')))).toBe(declared('windows-1252'))
    expect(await read(Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'))).toBe(declared('UTF-16'))
    expect(await read(Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16())).toBe(declared('UTF-16'))
    // It is not UTF-16 if that can be read.
    expect(await read(Buffer.from(declared('UTF-16')))).toBe(declared('UTF-16'))
    expect(await read(Buffer.from(declared('ISO-8859-1')), false)).toBe(declared('ISO-8859-1'))
    await expect(read(Buffer.from(declared('klingon')))).rejects.toMatchObject({
      code: 'MALFORMED',
      message: 'line 1: its encoding is not known: "klingon"',
    })
  })

  it('is refused when it cannot be unpacked', async () => {
    const packed = gzipSync(LONG)
    for (const cut of [2, 12, packed.length >> 1, packed.length - 1])
      await expect(read(packed.subarray(0, cut))).rejects.toMatchObject({ code: 'MALFORMED' })
    const broken = Buffer.from(packed)
    broken[packed.length - 6] = broken[packed.length - 6]! ^ 1
    await expect(read(broken)).rejects.toMatchObject({ code: 'MALFORMED', message: /^it cannot be unpacked: / })
  })

  it('ends with the failure of whoever reads it, and stops it when nobody wants the rest', async () => {
    const failing = async function* (first: Uint8Array) {
      yield first
      throw new Error('gone')
    }
    for (const first of [Buffer.from(LONG), gzipSync(LONG).subarray(0, 100)])
      await expect(read(failing(first))).rejects.toThrow('gone')
    await expect(
      read(
        (async function* () {
          yield 'text' as never
        })(),
      ),
    ).rejects.toThrow('sitemap must come in bytes, received "text"')
    let isStopped = false
    const endless = async function* () {
      try {
        for (;;) yield Buffer.from(LONG)
      } finally {
        isStopped = true
      }
    }
    for await (const _ of textOf('sitemap', endless(), { isXml: true })) break
    expect(isStopped).toBe(true)
  })
})
