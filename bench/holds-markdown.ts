/** Prints a result of `holds` as the table of docs/operations.md: node holds-markdown.js RESULT.json */
import { readFileSync } from 'node:fs'
import type { HeldCall } from './holds.js'

const report = JSON.parse(readFileSync(process.argv[2] ?? '/dev/stdin', 'utf8')) as {
  readonly runs: readonly { readonly result: { readonly calls: Readonly<Record<string, HeldCall>> } }[]
}
const calls = Object.entries(report.runs[0]?.result.calls ?? {})
const ms = (value: number | undefined) => (value === undefined ? '-' : value < 10 ? value.toFixed(1) : value.toFixed(0))
const lines = calls.map(([name, { colour, holdMs, wallMs }]) => {
  const call = name.includes(',') ? name : `\`${name}\``
  const kind = colour === 'sync' ? 'synchronous' : 'asynchronous'
  return `| ${call} | ${kind} | ${ms(holdMs)} | ${ms(wallMs)} |`
})
process.stdout.write(`| call | | longest hold, ms | in all, ms |\n|---|---|---|---|\n${lines.join('\n')}\n`)
