import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ERROR_MEANINGS, FreshdexError, isErrorCode } from '../../src/base/errors.js'

const CODES = Object.keys(ERROR_MEANINGS)

describe('FreshdexError', () => {
  it('carries code, message, detail and cause', () => {
    const cause = new Error('below')
    const error = new FreshdexError('INVALID_KEY', 'a key must not be empty', { cause, detail: { key: '' } })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ code: 'INVALID_KEY', message: 'a key must not be empty', detail: { key: '' } })
    expect(error.cause).toBe(cause)
  })

  it('has an empty detail and no cause unless given', () => {
    const error = new FreshdexError('CLOSED', 'closed')
    expect(error.detail).toEqual({})
    expect('cause' in error).toBe(false)
  })

  it('prints its name once', () => {
    const error = new FreshdexError('CLOSED', 'closed')
    expect(error.name).toBe('FreshdexError')
    expect(String(error)).toBe('FreshdexError: closed')
    expect(Object.keys(error)).toEqual(['code', 'detail'])
    expect(inspect(error).match(/FreshdexError/g)?.length).toBeLessThanOrEqual(2)
  })
})

describe('the table of codes', () => {
  it.each(CODES)('%s has a meaning of one line', (code) => {
    const meaning = ERROR_MEANINGS[code as keyof typeof ERROR_MEANINGS]
    expect(meaning).toMatch(/^[A-Z][^\n]+\.$/)
  })

  it('is the table of docs/api.md, line by line', () => {
    const api = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
    const documented = [...api.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning])
    expect(documented).toEqual(Object.entries(ERROR_MEANINGS))
  })

  it('has every code that the core can give', () => {
    const core = readFileSync(new URL('../../native/base/status.cc', import.meta.url), 'utf8')
    const codes = [...core.matchAll(/return "([A-Z_]+)"/g)].map(([, code = '']) => code).filter((code) => code !== 'OK')
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => !CODES.includes(code))).toEqual([])
  })

  it('tells codes from other values', () => {
    expect(CODES.filter((code) => !isErrorCode(code))).toEqual([])
    for (const other of ['ENOENT', 'toString', '__proto__', '', 5, undefined, null])
      expect(isErrorCode(other)).toBe(false)
  })
})
