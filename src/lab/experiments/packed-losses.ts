/** What each query loses, as text of a few kilobytes: rows of results are kept as lines and sent between threads. */

/** As single-precision numbers, low byte first, in base64. */
export function packLosses(losses: Float64Array): string {
  const bytes = new DataView(new ArrayBuffer(4 * losses.length))
  losses.forEach((loss, query) => {
    bytes.setFloat32(4 * query, loss, true)
  })
  return Buffer.from(bytes.buffer).toString('base64')
}

export function unpackLosses(packed: string): Float64Array {
  const bytes = Buffer.from(packed, 'base64')
  return Float64Array.from({ length: bytes.length / 4 }, (_, query) => bytes.readFloatLE(4 * query))
}
