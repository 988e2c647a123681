/** Prints a result of `holds` as the table of docs/operations.md: node holds-markdown.js RESULT.json */
import { readFileSync } from 'node:fs'
import type { HeldCall } from './held-calls.js'

const report = JSON.parse(readFileSync(process.argv[2] ?? '/dev/stdin', 'utf8')) as {
  readonly runs: readonly { readonly result: { readonly calls: Readonly<Record<string, HeldCall>> } }[]
}
const calls = Object.entries(report.runs[0]?.result.calls ?? {})
const ms = (value: number | undefined) => (value === undefined ? '-' : value < 10 ? value.toFixed(1) : value.toFixed(0))
const lines = calls.map(([name, call]) => {
  const shown = name.includes(',') ? name : `\`${name}\``
  return `| ${shown} | ${call.colour} | ${holdOf(call)} | ${ms(call.holdMs)} | ${ms(call.wallMs)} | ${ms(call.cpuMs)} |`
})
process.stdout.write(`| call | | longest hold, CPU ms | on the wall | in all, ms | CPU ms of all threads |
|---|---|---|---|---|---|
${lines.join('\n')}
`)

/** Where the arguments are large, reading them stands apart. */
function holdOf({ argumentBytes, holdCpuMs, withinCpuMs, beyondCpuMs }: HeldCall): string {
  if (argumentBytes === undefined) return ms(holdCpuMs)
  return `${ms(beyondCpuMs)}, and ${ms(withinCpuMs)} to read ${(argumentBytes / 1e6).toFixed(1)} MB`
}
