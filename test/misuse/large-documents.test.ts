/** The size limit of documents, on both sides of it. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { rejectionOf } from './specimen.js'

interface Row {
  id: number
  body?: string
  title?: string
}

const MEBIBYTE = 1024 * 1024

function open(documentBytes?: number) {
  const limits = documentBytes === undefined ? {} : { limits: { documentBytes } }
  return Freshdex.open<Row>(':memory:', { key: 'id', fields: { title: {}, body: {} }, store: false, ...limits })
}

/** Exactly so many bytes of text in words of seven letters, the last one marked. */
function textOf(bytes: number, last: string): string {
  const text = 'aardvar '.repeat(Math.ceil(bytes / 8)).slice(0, bytes - last.length - 1)
  return `${text} ${last}`
}

describe('the limit of 16 MiB', () => {
  test('holds for the document just below and not for the one just above', async () => {
    const index = await open()
    await index.write({ put: [{ id: 1, body: textOf(16 * MEBIBYTE, 'below') }] })
    expect(index.search('below').total).toBe(1)
    const { kind, message } = await rejectionOf(() =>
      index.write({
        put: [
          { id: 2, body: 'small' },
          { id: 3, body: textOf(16 * MEBIBYTE + 1, 'above') },
        ],
      }),
    )
    expect(kind, message).toBe('DOCUMENT_TOO_LARGE')
    expect(index.stats().documents).toBe(1)
    expect((await index.check()).ok).toBe(true)
    await index.close()
  })
})

describe('a limit of the user', () => {
  test('counts the UTF-8 bytes of all fields together', async () => {
    const index = await open(10)
    await index.write({ put: [{ id: 1, title: 'ééé', body: 'four' }] })
    expect((await rejectionOf(() => index.write({ put: [{ id: 2, title: 'ééé', body: 'fives' }] }))).kind).toBe(
      'DOCUMENT_TOO_LARGE',
    )
    expect((await rejectionOf(() => index.write({ put: [{ id: 1, body: '🌊🌊🌊' }] }))).kind).toBe('DOCUMENT_TOO_LARGE')
    expect(index.stats().documents).toBe(1)
    expect(index.search('four').total).toBe(1)
    await index.close()
  })

  test('raised, lets a document of 100 MB in while timers go on', async () => {
    const index = await open(128 * MEBIBYTE)
    const body = textOf(100_000_000, 'needle')
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const writing = index.write({
      put: [
        { id: 1, body },
        { id: 2, body: 'small' },
      ],
    })
    const before = ticks
    const report = await writing
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(before)
    expect(report.tokens.total).toBe(body.split(' ').length + 1)
    expect(index.search('needle').hits.map(({ key }) => key)).toEqual([1])
    expect(index.search('"aardvar aardvar" OR small').total).toBe(2)
    await index.close()
  })
})
