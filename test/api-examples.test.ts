/**
 * The examples of docs/api.md that open an index of their own and close it: they run as they stand, and each line
 * `expression // value` is checked. A comment that is no value is no claim.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as freshdex from 'freshdex'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

interface Example {
  readonly section: string
  readonly code: string
}

/** The sections whose examples must be whole. */
const SECTIONS = [
  ...['suggest', 'Did you mean', 'analyze', 'As somebody types'],
  ...['More fields and columns', 'load', 'patch', 'Snippets', 'Synonyms', 'Pinned documents', 'searchAsync', 'similar'],
  ...['Columns', 'Facets', 'Sort and go on', 'Groups', 'Boosts', 'Documents that expire'],
]

const VALUE = /^(?:'[^']*'|-?[\d.]+|true|false|null|undefined|[[{].*[\]}])$/

function examplesOf(markdown: string): Example[] {
  const examples: Example[] = []
  let section = ''
  for (const [, heading, code] of markdown.matchAll(/^#{2,4} (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) section = heading
    else if (code?.includes('Freshdex.open') && SECTIONS.includes(section)) examples.push({ section, code })
  }
  return examples
}

/** The code as JavaScript, each claim turned into a check. */
function checked(code: string): { readonly script: string; readonly claims: number } {
  let claims = 0
  const lines = code.split('\n').map((line) => {
    const claim = /^((?:await )?[a-z](?:[^;=]|=>)*?)\s+\/\/ (.+)$/.exec(line)
    const [, expression, value] = claim ?? []
    if (expression === undefined || value === undefined || !VALUE.test(value)) return line
    claims++
    return `expect(${expression}).toEqual(${value})`
  })
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  const script = ts.transpileModule(lines.join('\n').replace(/^import .*$/gm, ''), { compilerOptions: options })
  return { script: script.outputText, claims }
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>

describe('the examples of api.md', () => {
  const examples = examplesOf(readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8'))

  it.each(SECTIONS)('are there in the section %s', (section) => {
    expect(examples.some((example) => example.section === section)).toBe(true)
  })

  it.each(examples)('in $section do what they say', async ({ code }) => {
    const { script, claims } = checked(code)
    expect(claims).toBeGreaterThan(0)
    const folder = mkdtempSync(join(tmpdir(), 'freshdex-example-'))
    const before = process.cwd()
    process.chdir(folder)
    try {
      const exported = Object.entries(freshdex)
      const names = exported.map(([name]) => name)
      await new AsyncFunction('expect', ...names, script)(expect, ...exported.map(([, value]) => value))
    } finally {
      process.chdir(before)
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
