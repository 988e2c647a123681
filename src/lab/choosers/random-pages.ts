/** Pages by chance, each as likely as any other at every step. */
import { Randomness } from '../randomness.js'
import type { Judge } from './judged-chooser.js'

export function randomPages(seed: number): Judge {
  const random = new Randomness(seed)
  // Above 0: nobody is left out for having drawn the lowest number.
  return { priority: () => 1 - random.next() }
}
