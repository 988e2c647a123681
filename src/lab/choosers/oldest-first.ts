/** The pages whose last refresh is longest ago. */
import type { Judge } from './judged-chooser.js'

export function oldestFirst(): Judge {
  return { priority: (_page, ageMs) => ageMs }
}
