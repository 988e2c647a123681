import { describe, expect, it } from 'vitest'
import { KEYSTROKE_MS, Keystrokes, MAX_SESSIONS } from '../../src/workload/keystrokes.js'

function listening() {
  const counted: [string, number][] = []
  const keystrokes = new Keystrokes<string>((asked, atMs) => counted.push([asked, atMs]))
  const type = (session: string, typed: string, atMs: number) => keystrokes.add(session, typed, typed, atMs)
  return { counted, keystrokes, type }
}

describe('keystrokes of a session', () => {
  it('are the beginnings of what is asked next, within two seconds', () => {
    const { counted, keystrokes, type } = listening()
    type('one', 'f', 0)
    type('one', 'fe', 300)
    type('one', 'ferry', 300 + KEYSTROKE_MS)
    keystrokes.releaseDue(300 + 2 * KEYSTROKE_MS)
    expect(counted).toEqual([])
    keystrokes.releaseDue(301 + 2 * KEYSTROKE_MS)
    expect(counted).toEqual([['ferry', 300 + KEYSTROKE_MS]])
    expect(keystrokes.size).toBe(0)
  })

  it('are not what is asked later, otherwise, again, or by somebody else', () => {
    const { counted, keystrokes, type } = listening()
    type('one', 'f', 0)
    type('one', 'ferry', KEYSTROKE_MS + 1)
    type('one', 'boat', KEYSTROKE_MS + 2)
    type('one', 'boat', KEYSTROKE_MS + 3)
    type('two', 'boats', KEYSTROKE_MS + 4)
    // A clock that was set back says nothing about time passed.
    type('two', 'boats on lakes', 0)
    expect(counted.map(([asked]) => asked)).toEqual(['f', 'ferry', 'boat', 'boats'])
    keystrokes.releaseAll()
    expect(counted.map(([asked]) => asked)).toEqual(['f', 'ferry', 'boat', 'boats', 'boat', 'boats on lakes'])
  })

  it('are held for a bounded number of sessions, and none is lost beyond it', () => {
    const { counted, keystrokes, type } = listening()
    for (let nth = 0; nth < MAX_SESSIONS + 10; nth++) type(`session ${nth}`, `query ${nth}`, nth)
    expect(keystrokes.size).toBe(MAX_SESSIONS)
    expect(counted.map(([asked]) => asked)).toEqual(Array.from({ length: 10 }, (_, nth) => `query ${nth}`))
    keystrokes.releaseAll()
    expect(counted).toHaveLength(MAX_SESSIONS + 10)
  })

  it('can be forgotten', () => {
    const { counted, keystrokes, type } = listening()
    type('one', 'secret', 0)
    expect(keystrokes.forget((asked) => asked === 'secret')).toBe(true)
    expect(keystrokes.forget((asked) => asked === 'secret')).toBe(false)
    keystrokes.releaseAll()
    expect(counted).toEqual([])
  })
})
