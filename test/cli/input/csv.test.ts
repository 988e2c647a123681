import { expect, it } from 'vitest'
import { csvLine, parseCsvLine } from '../../../src/cli/input/records.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

it.each([
  ['a,b,c', ['a', 'b', 'c']],
  ['', ['']],
  [',', ['', '']],
  ['a,', ['a', '']],
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""so""",""', ['say "so"', '']],
  ['"[1,2]",x y', ['[1,2]', 'x y']],
])('%j is read as cells', (line, cells) => {
  expect(parseCsvLine(line)).toEqual(cells)
})

it.each(['"open', '"a"b,c', '"a""', 'x,"'])('%j is refused', (line) => {
  expect(() => parseCsvLine(line)).toThrow('a quote must enclose a whole cell, and be closed on its line')
})

it('any cells on one line are read as they were written', () => {
  withSeed('csv', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 300; round++) {
      const cells = Array.from({ length: random.between(1, 5) }, () =>
        Array.from({ length: random.int(6) }, () => random.pick(['a', '"', ',', ' ', 'é'])).join(''),
      )
      // A quote in the middle of a cell is written in quotes, one at its start as well.
      expect(parseCsvLine(csvLine(cells))).toEqual(cells)
    }
  })
})
