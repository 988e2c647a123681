import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../src/base/bytes.js'

const overflow = (limit: number) => new Error(`over ${limit}`)

function hex(writer: ByteWriter): string {
  return Buffer.from(writer.view()).toString('hex')
}

describe('a byte writer', () => {
  it('writes little endian without padding', () => {
    const writer = new ByteWriter(4, 1000, overflow)
    writer.u8(1)
    writer.u16(0x0302)
    writer.u32(0x07060504)
    writer.f64(1)
    writer.bytes(new Uint8Array([0xaa, 0xbb]))
    expect(writer.utf8('é🌊')).toBe(6)
    expect(hex(writer)).toBe('01' + '0203' + '04050607' + '000000000000f03f' + 'aabb' + 'c3a9f09f8c8a')
    expect(writer.length).toBe(23)
  })

  it('puts the length before sized text', () => {
    const writer = new ByteWriter(1, 1000, overflow)
    expect(writer.sizedUtf8('é')).toBe(2)
    expect(writer.sizedUtf8('')).toBe(0)
    expect(hex(writer)).toBe('02000000' + 'c3a9' + '00000000')
  })

  it('patches, truncates and starts over', () => {
    const writer = new ByteWriter(16, 1000, overflow)
    writer.u32(0)
    writer.u16(0)
    writer.patchU32(0, 0xffffffff)
    writer.patchU16(4, 0x0102)
    expect(hex(writer)).toBe('ffffffff0201')
    writer.truncate(4)
    writer.u8(7)
    expect(hex(writer)).toBe('ffffffff07')
    writer.reset()
    expect(writer.length).toBe(0)
  })

  it('grows without losing anything', () => {
    const writer = new ByteWriter(1, 1e6, overflow)
    let expected = ''
    for (let nth = 0; nth < 500; nth++) {
      const text = 'añ🌊'.repeat(nth % 7)
      writer.utf8(text)
      expected += text
    }
    expect(Buffer.from(writer.view()).toString()).toBe(expected)
  })

  it('fills up to its limit, and not a byte further', () => {
    const writer = new ByteWriter(2, 10, overflow)
    // The estimate of three bytes for each unit would refuse this text.
    writer.utf8('x'.repeat(9))
    writer.u8(1)
    expect(writer.length).toBe(10)
    expect(() => writer.u8(1)).toThrow('over 10')
    expect(() => writer.utf8('x')).toThrow('over 10')
    expect(writer.utf8('')).toBe(0)
    expect(writer.length).toBe(10)
  })

  it('writes lone surrogates as the replacement character', () => {
    const writer = new ByteWriter(1, 100, overflow)
    expect(writer.utf8('a\ud800')).toBe(4)
    expect(hex(writer)).toBe('61efbfbd')
  })

  it('gives back the memory of a huge batch', () => {
    const writer = new ByteWriter(16, 2 ** 30, overflow)
    writer.bytes(new Uint8Array(20 * 1024 * 1024))
    const { buffer } = writer.view()
    writer.reset()
    writer.u8(1)
    expect(writer.view().buffer).not.toBe(buffer)
    expect(writer.view().buffer.byteLength).toBeLessThan(1024)
  })
})
