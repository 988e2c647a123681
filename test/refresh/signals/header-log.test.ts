import { describe, expect, it } from 'vitest'
import { readHeaderLog } from '../../../src/refresh/signals/readers/header-log.js'
import { collected, inPieces } from '../../support/pieces.js'

async function read(...lines: readonly unknown[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const pieces = (length: number) => inPieces(text, length)
  const whole = await collected(readHeaderLog(pieces(text.length || 1)))
  expect(await collected(readHeaderLog(pieces(4)))).toEqual(whole)
  return whole
}

const url = 'https://a.example/1'
const NOTHING = { at: undefined, status: undefined, etag: undefined, lastModified: undefined }

describe('a log of headers', () => {
  it('has a line for each look at a page', async () => {
    expect(
      await read(
        '\ufeff{"url":"https://a.example/1","at":"2026-11-16T09:00Z","status":200,' +
          '"etag":"\\"x\\"","contentLength":17}\r',
        '',
        { url, at: 5, status: 304, lastModified: 'Thu, 01 Jan 1970 00:00:01 GMT', etag: null },
        { url, headers: { ETag: 'W/"y"', 'LAST-MODIFIED': ['Thu, 01 Jan 1970 00:00:02 GMT', 'x'] } },
        { url, etag: '"z"', lastModified: 3, at: 'noon', headers: { etag: '"no"', 'last-modified': 'no' } },
        { url, etag: ' ', lastModified: '' },
        '',
      ),
    ).toEqual([
      { ...NOTHING, url, line: 1, at: Date.UTC(2026, 10, 16, 9), status: 200, etag: '"x"' },
      { ...NOTHING, url, line: 3, at: 5, status: 304, lastModified: 1000 },
      { ...NOTHING, url, line: 4, etag: '"y"', lastModified: 2000 },
      { ...NOTHING, url, line: 5, at: 'date not understood', etag: '"z"', lastModified: 3 },
      { ...NOTHING, url, line: 6, lastModified: 'no date' },
    ])
    expect(await read()).toEqual([])
  })

  it.each([
    ['{"url":', 'it is not JSON'],
    ['[]', 'it must be a JSON object, received []'],
    [{ at: 5 }, 'it needs a url'],
    [{ url: 5 }, 'url must be text, received 5'],
    [{ url, at: -1 }, 'at must be text or milliseconds since 1970, received -1'],
    [{ url, at: [] }, 'at must be text'],
    [{ url, status: '200' }, 'status must be a status of HTTP, received "200"'],
    [{ url, etag: 5 }, 'etag must be text, received 5'],
    [{ url, headers: 'x' }, 'headers must be an object, received "x"'],
    [{ url, headers: { 'Last-Modified': {} } }, 'lastModified must be text'],
    [' '.repeat(2_000_000), 'it is longer than 1048576 characters'],
  ])('is refused with a wrong line, by its number: %#', async (line, message) => {
    await expect(read({ url }, '', line, { url })).rejects.toMatchObject({
      code: 'MALFORMED',
      detail: { line: 3 },
      message: expect.stringContaining(`line 3: ${message}`),
    })
  })
})
