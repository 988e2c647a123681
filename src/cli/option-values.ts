/** Readers of arguments and option values, as commander calls them. */
import { InvalidArgumentError } from 'commander'
import { IN_MEMORY } from '../storage/open-storage.js'

export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= low && value <= high) return value
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
  }
}

/** A decimal number of at least `low`, or above it. */
export function amount(low: number, isAbove = false): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isNumber = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && value < Number.POSITIVE_INFINITY
    if (isNumber && (isAbove ? value > low : value >= low)) return value
    throw new InvalidArgumentError(`It must be a number ${isAbove ? 'above' : 'of at least'} ${low}.`)
  }
}

/** The folder of an index. An index in memory would be gone with the process. */
export function folder(text: string): string {
  if (text === '' || text === IN_MEMORY) throw new InvalidArgumentError('It must be the path of a folder.')
  return text
}

/** `title,body` */
export function nameList(text: string): readonly string[] {
  const names = text.split(',')
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.')
  return names
}
