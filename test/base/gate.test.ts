import { describe, expect, it } from 'vitest'
import { Gate } from '../../src/base/gate.js'

const closed = expect.objectContaining({ code: 'CLOSED' })
const reentrant = expect.objectContaining({ code: 'REENTRANT' })

describe('a gate', () => {
  it('lets calls in one after another', () => {
    const gate = new Gate()
    expect(gate.run(() => 1)).toBe(1)
    expect(gate.run(() => 2)).toBe(2)
    expect(() => gate.check()).not.toThrow()
  })

  it('refuses calls from inside', () => {
    const gate = new Gate()
    gate.run(() => {
      expect(() => gate.check()).toThrow(reentrant)
      expect(() => gate.checkReentry()).toThrow(reentrant)
      expect(() => gate.run(() => 1)).toThrow(reentrant)
    })
  })

  it('is free again after a failure inside', () => {
    const gate = new Gate()
    const fault = new Error('inside')
    const failing = () => {
      throw fault
    }
    expect(() => gate.run(failing)).toThrow(fault)
    expect(gate.run(() => 1)).toBe(1)
  })

  it('stays guarded when a refused call inside was caught', () => {
    const gate = new Gate()
    gate.run(() => {
      expect(() => gate.run(() => 1)).toThrow(reentrant)
      expect(() => gate.run(() => 1)).toThrow(reentrant)
    })
  })

  it('refuses everything once closed', () => {
    const gate = new Gate()
    gate.close()
    expect(() => gate.check()).toThrow(closed)
    expect(() => gate.run(() => 1)).toThrow(closed)
    expect(() => gate.checkReentry()).not.toThrow()
  })
})
