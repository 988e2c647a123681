/** Texts and bytes in pieces, as streams have them, and all that a stream gives. */

export async function* inPieces<Whole extends string | Uint8Array>(
  whole: Whole,
  length: number,
): AsyncGenerator<Whole> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length) as Whole
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
