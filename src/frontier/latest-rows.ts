/** The latest rows of a table of numbers: a ring of float32 in which new rows replace the oldest. */
export class LatestRows {
  readonly width: number
  readonly capacity: number
  #values: Float32Array
  #added = 0

  constructor(width: number, capacity: number) {
    this.width = width
    this.capacity = capacity
    this.#values = new Float32Array()
  }

  get rows(): number {
    return Math.min(this.#added, this.capacity)
  }

  /** The number of rows ever added. */
  get added(): number {
    return this.#added
  }

  get memoryBytes(): number {
    return this.#values.byteLength
  }

  /** Adds one row, read from `at` on. A row with a value that is not finite as float32 is left out. */
  add(values: ArrayLike<number>, at = 0): void {
    for (let column = 0; column < this.width; column++) if (!Number.isFinite(Math.fround(values[at + column]!))) return
    const place = this.#added % this.capacity
    if ((place + 1) * this.width > this.#values.length) this.#grow()
    for (let column = 0; column < this.width; column++) this.#values[place * this.width + column] = values[at + column]!
    this.#added++
  }

  /** The values of a column, oldest row first. */
  column(column: number): Float64Array {
    const first = this.#added > this.capacity ? this.#added % this.capacity : 0
    return Float64Array.from({ length: this.rows }, (_, row) => {
      const place = (first + row) % this.capacity
      return this.#values[place * this.width + column]!
    })
  }

  copy(): LatestRows {
    const copy = new LatestRows(this.width, this.capacity)
    copy.#values = this.#values.slice()
    copy.#added = this.#added
    return copy
  }

  /** The rows as float32, little endian. */
  bytes(): Uint8Array {
    const bytes = Buffer.alloc(this.rows * this.width * 4)
    for (let at = 0; at < this.rows * this.width; at++) bytes.writeFloatLE(this.#values[at]!, at * 4)
    return bytes
  }

  /** Takes the rows of bytes over; returns false and changes nothing if the bytes are not those of rows. */
  restore(bytes: unknown, added: unknown): boolean {
    if (!(bytes instanceof Uint8Array) || !Number.isSafeInteger(added)) return false
    const rows = Math.min(added as number, this.capacity)
    if (rows < 0 || bytes.length !== rows * this.width * 4) return false
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const values = Float32Array.from({ length: rows * this.width }, (_, at) => view.getFloat32(at * 4, true))
    if (!values.every(Number.isFinite)) return false
    this.#values = values
    this.#added = added as number
    return true
  }

  #grow(): void {
    const length = Math.min(this.capacity * this.width, Math.max(64 * this.width, this.#values.length * 2))
    const longer = new Float32Array(length)
    longer.set(this.#values)
    this.#values = longer
  }
}
