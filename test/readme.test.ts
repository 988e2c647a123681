import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The example's code, each `expression // value` line turned into a check of the value. */
function exampleOf(markdown: string): { code: string; claims: number } {
  const block = /```js\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ''
  let claims = 0
  const lines = block.split('\n').map((line) => {
    const claim = /^([a-z][\w.?[\]]*) \/\/ ('[^']*'|\d+)/.exec(line)
    if (claim === null) return line
    claims++
    return `expect(${claim[1]}).toEqual(${claim[2]})`
  })
  return { code: lines.join('\n').replace(/^import .*$/m, ''), claims }
}

it('the example of the README does what its comments say', async () => {
  const { code, claims } = exampleOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))
  expect(claims).toBe(7)
  const { Freshdex } = await import('freshdex')
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parameters: string[]
  ) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction('Freshdex', 'expect', code)(Freshdex, expect)
})
