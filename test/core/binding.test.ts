import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { FreshdexError } from '../../src/base/errors.js'
import { awaitNative, callNative, fromNative, loadAddon } from '../../src/core/binding.js'

describe('loading the addon', () => {
  it('gives a class of indexes', () => {
    expect(typeof loadAddon().Index).toBe('function')
  })

  it('is NATIVE_MISSING where there is none, and says how to build it', () => {
    const act = () => loadAddon(tmpdir())
    expect(act).toThrow(FreshdexError)
    expect(act).toThrow('npm run build')
    expect(act).toThrow(expect.objectContaining({ code: 'NATIVE_MISSING', cause: expect.any(Error) }))
  })
})

describe('errors of the addon', () => {
  const coded = Object.assign(new Error('too many'), { code: 'TOO_MANY_TERMS', detail: { limit: 5, odd: {} } })

  it('keep their code, message and flat detail', () => {
    const error = fromNative(coded)
    expect(error).toBeInstanceOf(FreshdexError)
    expect(error).toMatchObject({ code: 'TOO_MANY_TERMS', message: 'too many', detail: { limit: 5 }, cause: coded })
  })

  it.each<[string, unknown]>([
    ['an error without a code', new TypeError('wrong argument')],
    ['an error with a foreign code', Object.assign(new Error('no entry'), { code: 'ENOENT' })],
    ['an error with a code that every object has', Object.assign(new Error('x'), { code: 'constructor' })],
    ['a string', 'failed'],
    ['nothing', undefined],
  ])('are INTERNAL for %s', (_, cause) => {
    expect(fromNative(cause)).toMatchObject({ code: 'INTERNAL', cause })
  })

  it('are translated on the way out of calls, at once or later', async () => {
    const throwing = () => {
      throw coded
    }
    expect(() => callNative(throwing)).toThrow(expect.objectContaining({ code: 'TOO_MANY_TERMS' }))
    await expect(awaitNative(() => Promise.reject(coded))).rejects.toMatchObject({ code: 'TOO_MANY_TERMS' })
    await expect(awaitNative(throwing)).rejects.toMatchObject({ code: 'TOO_MANY_TERMS' })
    expect(callNative(() => 5)).toBe(5)
    await expect(awaitNative(async () => 5)).resolves.toBe(5)
  })

  it('of our own class pass as they are', () => {
    const own = new FreshdexError('CLOSED', 'closed')
    expect(fromNative(own)).toBe(own)
  })
})
