/** Numbers in the words of sentences. */

export function counted(amount: number, noun: string): string {
  const whole = Math.floor(amount)
  return `${number(whole)} ${whole === 1 ? noun : `${noun}s`}`
}

export function number(count: number): string {
  return count.toLocaleString('en-US')
}

/** A number with two significant digits. */
export function percent(share: number): string {
  const hundredths = 100 * share
  if (hundredths < 1e-4) return 'less than 0.0001%'
  if (hundredths >= 99.5) return share >= 1 ? '100%' : 'over 99%'
  return hundredths >= 10 ? `${Math.round(hundredths)}%` : `${Number(hundredths.toPrecision(2))}%`
}
