import { Randomness } from './randomness.js'

/** A stream of its own for each purpose and number, so that more of one thing moves no other. */
export function streamSeed(seed: number, purpose: string, number: number): number {
  let mixed = seed
  for (const part of [...purpose].map((character) => character.codePointAt(0)!).concat(number)) {
    mixed = Math.floor(new Randomness(mixed ^ Math.imul(part + 1, 0x9e3779b1)).next() * 2 ** 32)
  }
  return mixed
}
