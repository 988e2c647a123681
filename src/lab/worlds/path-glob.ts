/** Patterns of paths: `*` and `?` within a folder, `**` across folders, `[a-z]`, `[!a-z]` and `{md,html}`. */
import { describe } from '../../base/describe.js'

/** Matches whole paths with `/` between folders. RangeError for what is no pattern. */
export function globPattern(glob: string): RegExp {
  const text = glob.replace(/^\.?\//, '')
  if (text === '') throw new RangeError(`a pattern of paths must not be empty, received ${describe(glob)}`)
  let source = ''
  let braces = 0
  for (let at = 0; at < text.length; ) {
    const { piece, length } = pieceAt(text, at, braces > 0)
    if (piece === '(?:') braces++
    if (piece === ')') braces--
    source += piece
    at += length
  }
  if (braces > 0) throw new RangeError(`a { of a pattern of paths must be closed, received ${describe(glob)}`)
  try {
    return new RegExp(`^${source}$`, 'su')
  } catch (error) {
    throw new RangeError(`a range of a pattern of paths must ascend, received ${describe(glob)}`, { cause: error })
  }
}

function pieceAt(text: string, at: number, isInBraces: boolean): { readonly piece: string; readonly length: number } {
  const isSegmentStart = at === 0 || text[at - 1] === '/'
  if (isSegmentStart && text.startsWith('**/', at)) return { piece: '(?:[^/]+/)*', length: 3 }
  if (text.startsWith('**', at)) return { piece: '.*', length: 2 }
  const character = String.fromCodePoint(text.codePointAt(at)!)
  if (character === '*') return { piece: '[^/]*', length: 1 }
  if (character === '?') return { piece: '[^/]', length: 1 }
  if (character === '[') return classAt(text, at)
  if (character === '{') return { piece: '(?:', length: 1 }
  if (character === '}' && isInBraces) return { piece: ')', length: 1 }
  if (character === ',' && isInBraces) return { piece: '|', length: 1 }
  return { piece: escaped(character), length: character.length }
}

function classAt(text: string, at: number): { readonly piece: string; readonly length: number } {
  const isNegated = text[at + 1] === '!' || text[at + 1] === '^'
  const start = at + (isNegated ? 2 : 1)
  // A bracket in the first place stands for itself.
  const end = text.indexOf(']', start + 1)
  if (end === -1) throw new RangeError(`a [ of a pattern of paths must be closed, received ${describe(text)}`)
  const inside = text.slice(start, end).replace(/[\\\]^[]/g, '\\$&')
  return { piece: `(?!/)[${isNegated ? '^' : ''}${inside}]`, length: end + 1 - at }
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character
}
