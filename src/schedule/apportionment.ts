import { describe } from '../describe.js'
import { numberOption } from '../option-checks.js'

/** Whole numbers in proportion to shares, with the given sum: rounded down, and the largest remainders, the lowest of equals, up. */
export function apportion(shares: ArrayLike<number>, total: number): Uint32Array {
  numberOption('total', total, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
  let sum = 0
  for (let at = 0; at < shares.length; at++) {
    const share = shares[at]!
    if (!(share >= 0) || share === Number.POSITIVE_INFINITY) {
      throw new RangeError(`shares[${at}] must be a finite number of at least 0, received ${describe(share)}`)
    }
    sum += share
  }
  if (total === 0) return new Uint32Array(shares.length)
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`the sum of shares must be a positive finite number, it is ${describe(sum)}`)
  }
  const parts = new Uint32Array(shares.length)
  const remainders = new Float64Array(shares.length)
  let left = total
  for (let at = 0; at < shares.length; at++) {
    const exact = (shares[at]! / sum) * total
    // Rounding may carry a product past a whole number, and so the sum past the total.
    parts[at] = Math.min(Math.floor(exact), left)
    remainders[at] = exact - parts[at]!
    left -= parts[at]!
  }
  for (const at of largestRemainders(remainders, left)) parts[at]!++
  return parts
}

function largestRemainders(remainders: Float64Array, count: number): Uint32Array {
  if (count === 0) return new Uint32Array()
  const order = Uint32Array.from(remainders, (_, at) => at)
  return order.sort((a, b) => remainders[b]! - remainders[a]! || a - b).subarray(0, count)
}
