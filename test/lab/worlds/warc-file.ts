/** WARC files as a recorder writes them. */
import { gzipSync } from 'node:zlib'

export interface Answer {
  readonly url: string
  readonly body?: string | Buffer
  /** `200 OK` unless told. */
  readonly status?: string
  /** `Name: value` of the HTTP answer. */
  readonly headers?: readonly string[]
  readonly date?: string
  readonly type?: string
}

export function warcRecord(fields: readonly string[], block: Buffer): Buffer {
  const head = ['WARC/1.0', ...fields, `Content-Length: ${block.length}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), block, Buffer.from('\r\n\r\n')])
}

export function answerRecord({ url, body = '', status = '200 OK', headers, date, type = 'response' }: Answer): Buffer {
  const lines = [`HTTP/1.1 ${status}`, ...(headers ?? ['Content-Type: text/html']), '', '']
  const block = Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(body as string)])
  return warcRecord(
    [`WARC-Type: ${type}`, `WARC-Target-URI: ${url}`, `WARC-Date: ${date ?? '2026-01-04T00:00:00Z'}`],
    block,
  )
}

/** With the record that such files begin with. */
export function warcFile(answers: readonly Answer[]): Buffer {
  return Buffer.concat([
    warcRecord(['WARC-Type: warcinfo'], Buffer.from('software: a test\r\n')),
    ...answers.map(answerRecord),
  ])
}

/** Each record packed by itself, as .warc.gz has it. */
export function packedWarc(answers: readonly Answer[]): Buffer {
  return Buffer.concat(answers.map((answer) => gzipSync(answerRecord(answer))))
}
