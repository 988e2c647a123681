/**
 * The n-th number of the van der Corput sequence, in [0, 1): the binary digits of n behind the point, in reverse. Any run of it is spread
 * evenly: the share of n numbers that fall below t differs from t by no more than about log2(n) / n.
 */
export function vanDerCorput(n: number): number {
  let bits = n >>> 0
  bits = ((bits >>> 1) & 0x55555555) | ((bits & 0x55555555) << 1)
  bits = ((bits >>> 2) & 0x33333333) | ((bits & 0x33333333) << 2)
  bits = ((bits >>> 4) & 0x0f0f0f0f) | ((bits & 0x0f0f0f0f) << 4)
  bits = ((bits >>> 8) & 0x00ff00ff) | ((bits & 0x00ff00ff) << 8)
  return (((bits >>> 16) | (bits << 16)) >>> 0) / 2 ** 32
}
