import { mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FreshdexError } from '../../../src/base/errors.js'
import { ByteReader } from '../../../src/lab/worlds/files.js'
import { parseHttpResponse } from '../../../src/lab/worlds/http-response.js'
import { warcWorld } from '../../../src/lab/worlds/warc.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { type Answer, answerRecord, packedWarc, warcFile, warcRecord } from './warc-file.js'
import { allSteps, WorldPlace } from './world-reading.js'

let place: WorldPlace
beforeEach(() => {
  place = new WorldPlace()
})
afterEach(() => place.remove())

const url = (name: string) => `https://example.org/${name}`
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T06:00:00Z`
const html = (name: string, text: string, day: number): Answer => ({
  url: url(name),
  body: `<title>${name}</title><p>${text}`,
  date: at(day),
})
const put = (name: string, bytes: Buffer) => writeFileSync(place.path(name), bytes)
const told = () => allSteps(warcWorld(place.folder))

describe('the world of a folder of WARC files', () => {
  it('tells what each crawl found to be new, at the time of its last answer', async () => {
    const plain = {
      url: url('b.txt'),
      body: ' plain <b> ',
      headers: ['content-type: text/plain; charset=utf-8'],
      date: at(5),
    }
    const image = { url: url('c.png'), body: 'x', headers: ['Content-Type: image/png'], date: at(4) }
    put('1.warc', warcFile([html('a', 'one', 4), plain, image]))
    mkdirSync(place.path('2'))
    put('2/part-1.warc.gz', packedWarc([html('a', 'two', 11)]))
    put('2/part-2.warc.gz', packedWarc([{ ...plain, date: at(12) }, html('d', 'four', 11)]))
    const steps = await told()
    expect(steps).toEqual([
      {
        atMs: Date.parse(at(5)),
        versions: [
          { url: url('a'), title: 'a', text: 'one' },
          { url: url('b.txt'), title: '', text: 'plain <b>' },
        ],
        gone: [],
      },
      {
        atMs: Date.parse(at(12)),
        versions: [
          { url: url('a'), title: 'a', text: 'two' },
          { url: url('d'), title: 'd', text: 'four' },
        ],
        gone: [],
      },
    ])
  })

  it('parts what is gone from what did not answer or is as it was', async () => {
    const names = ['kept', 'unmodified', 'revisited', 'failed', 'lost', 'moved', 'forgotten']
    put('1.warc', warcFile(names.map((name) => html(name, 'one', 4))))
    put(
      '2.warc',
      warcFile([
        html('kept', 'one', 11),
        { ...html('unmodified', '', 11), status: '304 Not Modified' },
        { ...html('revisited', '', 11), type: 'revisit' },
        { ...html('failed', 'sorry', 11), status: '503 Service Unavailable' },
        { ...html('lost', 'sorry', 11), status: '404 Not Found' },
        { ...html('moved', '', 11), status: '301 Moved Permanently' },
        { ...html('never', 'sorry', 11), status: '500 Internal Server Error' },
      ]),
    )
    const [, second] = await told()
    expect(second).toEqual({ atMs: Date.parse(at(11)), versions: [], gone: ['lost', 'moved', 'forgotten'].map(url) })
  })

  it('takes the last answer for an address, but none for a failure after it', async () => {
    const failure = { ...html('a', 'sorry', 4), status: '502 Bad Gateway' }
    put('1.warc', warcFile([html('a', 'one', 4), html('a', 'two', 4), failure]))
    expect((await told())[0]?.versions.map(({ text }) => text)).toEqual(['two'])
  })

  it('says where a file is no WARC file, at every place where it could be cut', async () => {
    const whole = warcFile([html('a', 'one', 4), html('b', 'two', 4)])
    const complete = whole.length - 4
    for (let length = 1; length < complete; length += 7) {
      put('1.warc', whole.subarray(0, length))
      const outcome = await told().then(
        (steps) => steps[0]!.versions.length,
        (error) => error,
      )
      const isRefused = outcome instanceof FreshdexError && outcome.code === 'CORRUPT'
      expect([length, isRefused || outcome === 1]).toEqual([length, true])
    }
  })

  it.each([
    [
      Buffer.from('HTTP/1.1 200 OK\r\n\r\n'),
      /1\.warc, record at byte 0: it must begin with WARC\/1\.0 or WARC\/1\.1, not "HTTP/,
    ],
    [
      Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\n'),
      /Content-Length must be a number of bytes, received undefined/,
    ],
    [Buffer.from('WARC/1.0\r\nContent-Length: -5\r\n\r\n'), /Content-Length must be a number of bytes, received "-5"/],
    [Buffer.from('WARC/1.0\r\nContent-Length: 5\r\n\r\nabc'), /its block is shorter than 5 bytes/],
    [Buffer.from('WARC/1.0\r\nContent-Length: 999999999999999\r\n\r\nabc'), /its block is shorter than/],
    [Buffer.from('WARC/1.0\r\nno field\r\n\r\n'), /a field must be a name, a colon and a value/],
    [Buffer.from(`WARC/1.0\r\nLong: ${'x'.repeat(70_000)}\r\n`), /a line is longer than 65536 bytes/],
    [Buffer.from(`WARC/1.0\r\n${'A: b\r\n'.repeat(1001)}`), /it has more than 1000 fields/],
    [answerRecord({ url: url('a'), date: 'yesterday' }), /WARC-Date must be a moment in UTC, received "yesterday"/],
    [warcRecord(['WARC-Type: warcinfo'], Buffer.from('x')), /"1\.warc" holds no answer of a server/],
    [answerRecord({ url: url('a'), status: '404 Not Found' }), /its snapshots hold no page/],
  ])('refuses the file %#', async (bytes, message) => {
    put('1.warc', bytes)
    await expect(told()).rejects.toThrow(message)
  })

  it('refuses crawls out of order', async () => {
    put('1.warc', warcFile([html('a', 'one', 11)]))
    put('2.warc', warcFile([html('a', 'two', 4)]))
    await expect(told()).rejects.toThrow(/"2\.warc" was not crawled after the snapshot before/)
    const steps = await allSteps(warcWorld(place.folder, { everyMs: 1000 }))
    expect(steps.map(({ atMs }) => atMs)).toEqual([0, 1000])
  })
})

describe('an HTTP answer', () => {
  const parse = (headers: readonly string[], body: Buffer | string) =>
    parseHttpResponse(
      Buffer.concat([Buffer.from(['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n')), Buffer.from(body as string)]),
    )

  it('is unpacked as it says', () => {
    const text = 'a text '.repeat(20)
    const bodies: [string, Buffer][] = [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)],
      ['gzip, br', brotliCompressSync(gzipSync(text))],
      ['identity', Buffer.from(text)],
    ]
    for (const [encoding, body] of bodies) {
      expect([encoding, parse([`Content-Encoding: ${encoding}`], body)?.body.toString()]).toEqual([encoding, text])
    }
    const chunked = '4\r\na te\r\n3;x=y\r\nxt \r\n0\r\n\r\n'
    expect(parse(['Transfer-Encoding: chunked'], chunked)?.body.toString()).toBe('a text ')
    expect(parse(['Transfer-Encoding: chunked'], 'a text')?.body.toString()).toBe('a text')
    expect(parse(['Transfer-Encoding: chunked'], 'ffff\r\nx')?.body.toString()).toBe('ffff\r\nx')
  })

  it('tells its type and charset', () => {
    expect(parse(['CONTENT-TYPE: Text/HTML; boundary=x; Charset="ISO-8859-1"'], '')).toMatchObject({
      status: 200,
      mediaType: 'text/html',
      charset: 'iso-8859-1',
    })
    expect(parse([], '')).toMatchObject({ mediaType: '', charset: '' })
  })

  it('is none where the bytes are none', () => {
    expect(parseHttpResponse(Buffer.from('hello'))).toBeUndefined()
    expect(parse(['Content-Encoding: gzip'], 'not packed')).toBeUndefined()
    expect(parse(['Content-Encoding: unknown'], 'x')).toBeUndefined()
    expect(parse(['Content-Encoding: gzip'], gzipSync(Buffer.alloc(65 * 1024 * 1024)))).toBeUndefined()
  })

  it('is decoded as the server, the page or its bytes say', async () => {
    const latin = (head: string) => Buffer.from(`${head}caf\u00e9`, 'latin1')
    const answers: Answer[] = [
      { url: url('1'), body: latin(''), headers: ['Content-Type: text/html; charset=latin1'] },
      { url: url('2'), body: latin('<meta http-equiv=x content="text/html; charset=iso-8859-1">') },
      { url: url('3'), body: latin('') },
      { url: url('4'), body: 'caf\u00e9', headers: ['Content-Type: text/html; charset=no-such-thing'] },
    ]
    put('1.warc', warcFile(answers))
    for (const { text } of (await told())[0]!.versions) expect(text).toBe('caf\u00e9')
  })
})

describe('a byte reader', () => {
  it('gives the same lines and lengths, wherever the pieces end', async () => {
    await withSeed('byte reader', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const bytes = Buffer.from(Array.from({ length: 200 }, () => random.pick([10, 13, 97])))
        const reader = new ByteReader(inPieces(bytes, random))
        let at = 0
        while (at < bytes.length) {
          if (random.chance(0.5)) {
            const length = random.between(0, 30)
            expect(await reader.take(length)).toEqual(bytes.subarray(at, at + length))
            at = Math.min(bytes.length, at + length)
          } else {
            const end = bytes.indexOf(10, at)
            const line = bytes.toString('latin1', at, end === -1 ? bytes.length : end)
            expect(await reader.line(1000)).toBe(end === -1 ? line : line.replace(/\r$/, ''))
            at = end === -1 ? bytes.length : end + 1
          }
          expect(reader.offset).toBe(at)
        }
        expect(await reader.line(1000)).toBeUndefined()
        expect(await reader.skip(5)).toBe(0)
      }
    })
  })
})

async function* inPieces(bytes: Buffer, random: SeededRandom): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + random.between(1, 20)
    yield bytes.subarray(at, end)
    at = end
  }
}
