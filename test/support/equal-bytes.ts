/**
 * Makes `toEqual` fast for bytes and columns. By itself it compares typed arrays element by element, at some
 * microseconds each, which for a file of 100 kB takes most of a second. Arrays that differ are still left to it, so
 * that it decides (-0 is not 0, every NaN is alike) and shows where.
 */
import { expect } from 'vitest'

function haveEqualBytes(a: unknown, b: unknown): boolean | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined
  if (a.constructor !== b.constructor || a.byteLength !== b.byteLength) return undefined
  return bytesOf(a).equals(bytesOf(b)) || undefined
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

expect.addEqualityTesters([haveEqualBytes])
