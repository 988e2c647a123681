import { describe, expect, it } from 'vitest'
import { isUnicodeTerminal, plot } from '../../../src/cli/output/plot.js'

const rising = { name: 'rising', points: [0, 1, 2, 3, 4].map((x) => ({ x, y: x / 4 })) }
const falling = { name: 'falling', points: [0, 1, 2, 3, 4].map((x) => ({ x, y: 1 - x / 4 })) }
const level = { name: 'level', points: [0, 4].map((x) => ({ x, y: 0.5 })) }
const percent = (y: number) => `${Math.round(100 * y)}%`

describe('a plot on the terminal', () => {
  it('draws a line from corner to corner, with its axes', () => {
    const lines = plot([rising], { width: 30, height: 5, isUnicode: false, yText: percent, xName: 'week' })
    expect(lines).toEqual([
      '100% +           ## ### rising',
      '     |        ###',
      ' 50% +     ###',
      '     |  ###',
      '  0% +##',
      '     +-------------',
      '      0     2     4 week',
    ])
  })

  it('draws finer than its rows where it may use Braille', () => {
    const lines = plot([{ name: 'a', points: [0, 1].map((x) => ({ x, y: x })) }], { width: 20, height: 3 })
    expect(lines).toEqual(['1 ┤       ⢀⡠⠔⠊ ⠤⠤⠤ a', '  │   ⢀⡠⠔⠊⠁', '0 ┤⡠⠔⠊⠁', '  └───────────', '   0   0.5   1'])
  })

  it('tells lines apart without colour, and names each at its end', () => {
    for (const isUnicode of [true, false]) {
      const lines = plot([rising, falling, level], { width: 60, height: 9, isUnicode })
      const named = lines.filter((line) => /(?:rising|falling|level)$/.test(line))
      expect(named.map((line) => line.split(' ').at(-1))).toEqual(['rising', 'level', 'falling'])
      const samples = [rising, falling, level].map(({ name }) =>
        named.find((line) => line.endsWith(name))!.slice(-11, -name.length),
      )
      expect(new Set(samples).size).toBe(3)
    }
    expect(/^[\x20-\x7e]*$/.test(plot([rising, falling, level], { isUnicode: false }).join(''))).toBe(true)
  })

  it('shows the first line where several meet, and keeps the names of near lines apart', () => {
    const near = { name: 'near', points: level.points.map(({ x }) => ({ x, y: 0.501 })) }
    const lines = plot([level, near], { width: 40, height: 5, yRange: [0, 1], isUnicode: false })
    expect(lines.filter((line) => line.includes('#####'))).toHaveLength(1)
    expect(lines.filter((line) => line.endsWith('ooo near') || line.endsWith('### level'))).toHaveLength(2)
  })

  it('stays within its width and height, whatever the values', () => {
    for (const points of [[{ x: 3, y: 7 }], [], [0, 1, 2].map((x) => ({ x: x * 1e6, y: -x * 1e-6 }))]) {
      const lines = plot([{ name: 'values', points }], { width: 50, height: 6 })
      expect(lines.length).toBe(points.length === 0 ? 0 : 8)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
    }
  })

  it('cuts off what lies outside the range that was asked for', () => {
    const lines = plot([rising], { width: 40, height: 6, yRange: [0.5, 1], isUnicode: false })
    expect(lines[5]).toMatch(/^0\.5 \+ +#/)
  })
})

describe('whether a terminal shows Braille', () => {
  it.each([
    [{ LANG: 'en_GB.UTF-8' }, true],
    [{ LANG: 'C.utf8', TERM: 'xterm' }, true],
    [{ LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, false],
    [{ LANG: 'en_GB.UTF-8', TERM: 'linux' }, false],
    [{}, false],
  ])('%j: %s', (env, isUnicode) => {
    expect(isUnicodeTerminal(env)).toBe(isUnicode)
  })
})
