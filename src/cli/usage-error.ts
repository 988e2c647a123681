/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {}

/** The library refuses wrong arguments with TypeError and RangeError; where they come from the command line, the user is told so. */
export async function asUsage<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
