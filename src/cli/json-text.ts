/** Values of the index as JSON. What a stored document can hold and JSON cannot: big integers become decimal strings, bytes base64. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, sayable, indent)
}

function sayable(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  // The value itself has already been through Buffer's toJSON.
  const original = (this as Record<string, unknown>)[name]
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value
}
