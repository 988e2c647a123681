import { expect, test } from 'vitest'
import { inOneStep, type Step } from '../../src/base/step.js'

/** A step that writes down when it is undone. */
function noted(name: string, undone: string[]): Step<string> {
  return { rows: name, undo: () => void undone.push(name) }
}

test('steps in one step give their rows, and are undone in the reverse order, once', () => {
  const undone: string[] = []
  const step = inOneStep((take) => [take(noted('first', undone)), take(noted('second', undone))])
  expect(step.rows).toEqual(['first', 'second'])
  expect(undone).toEqual([])
  step.undo()
  step.undo()
  expect(undone).toEqual(['second', 'first'])
})

test('a step that throws undoes those before it and no other', () => {
  const undone: string[] = []
  const make = () =>
    inOneStep((take) => {
      take(noted('first', undone))
      take(noted('second', undone))
      noted('not taken', undone)
      throw new RangeError('third')
    })
  expect(make).toThrow(new RangeError('third'))
  expect(undone).toEqual(['second', 'first'])
})
