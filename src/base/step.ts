/** A change that has been made in memory and is not durable yet: its rows for the catalog, and how to take it back. */
export interface Step<Rows> {
  readonly rows: Rows
  /** Everything is as it was before the step. Called at most once, when the step does not become durable. */
  undo(): void
}

/** Makes a step part of a larger one, and gives its rows. */
export type TakeStep = <Rows>(step: Step<Rows>) => Rows

/** Makes several steps into one. When `make` throws, the steps taken so far are undone. */
export function inOneStep<Rows>(make: (take: TakeStep) => Rows): Step<Rows> {
  const taken: Step<unknown>[] = []
  const undo = () => {
    for (const step of taken.splice(0).reverse()) step.undo()
  }
  try {
    const rows = make((step) => {
      taken.push(step)
      return step.rows
    })
    return { rows, undo }
  } catch (error) {
    undo()
    throw error
  }
}
