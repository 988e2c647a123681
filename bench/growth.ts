import type { Bench } from './bench.js'
export const growth: Bench = {
  name: 'growth',
  question: '',
  options: {},
  run: async () => ({ result: {}, isClaimKept: true }),
}
