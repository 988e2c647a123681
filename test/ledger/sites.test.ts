import { describe, expect, it } from 'vitest'
import { Sites } from '../../src/ledger/sites.js'

describe('sites', () => {
  it('have numbers from 1 on, by the host of a key', () => {
    const sites = new Sites()
    expect(sites.numberOf('https://a.example/1')).toBe(0)
    expect(
      ['https://a.example/1', 'https://b.example/1', 'http://A.example/2', '/x', 17].map((key) => sites.register(key)),
    ).toEqual([1, 2, 1, 3, 4])
    expect(['https://b.example', '/y', 17, '17', 'c/1'].map((key) => sites.numberOf(key))).toEqual([2, 3, 4, 4, 0])
    expect(sites.size).toBe(4)
  })

  it('give those that are new, once, and take them back', () => {
    const sites = new Sites()
    sites.register('a/1')
    expect(sites.takeChanges().added).toEqual([{ number: 1, name: 'a' }])
    sites.register('a/2')
    sites.register('b/1')
    const { added, undo } = sites.takeChanges()
    expect(added).toEqual([{ number: 2, name: 'b' }])
    undo()
    expect([sites.numberOf('b/1'), sites.has(2), sites.all()]).toEqual([0, false, [{ number: 1, name: 'a' }]])
    expect(sites.register('c/1')).toBe(2)
  })

  it('go on behind those that were there, and behind numbers that are lost', () => {
    const sites = new Sites()
    sites.restore({ number: 5, name: 'a' })
    sites.reserve(8)
    expect([sites.register('a/1'), sites.register('b/1'), sites.has(5), sites.has(8)]).toEqual([5, 9, true, false])
    expect(sites.takeChanges().added).toEqual([{ number: 9, name: 'b' }])
  })
})
