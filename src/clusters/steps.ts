/** Work in steps, for whoever has other things to do in between: a generator that ends with what came of it. */
export type Steps<T> = Generator<void, T>

/** All at once. */
export function finish<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
