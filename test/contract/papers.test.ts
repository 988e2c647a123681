/** Whether docs/papers.md speaks of what is there: its files, its tests, and the ways by which users reach them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(ROOT, 'docs/papers.md'), 'utf8')
/** What help.test.ts and the examples of api.md hold to the program. */
const reference = ['cli.md', 'api.md', 'policies.md'].map((name) => textOf(`docs/${name}`)).join('\n')

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)))
}

const sources = ['src', 'test', 'native/quality', 'native/index', 'test/native'].flatMap(filesBelow)
const names = new Set(sources.map((file) => path.basename(file)))
const code = [...new Set(sources)]
  .filter((file) => /^(?:src|native)\//.test(file) && /\.(?:ts|cc|h)$/.test(file))
  .map(textOf)
  .join('\n')

interface Row {
  readonly paper: string
  readonly what: string
  readonly code: readonly string[]
  readonly tests: readonly string[]
  readonly reach: readonly string[]
}

function rowsOf(text: string): Row[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [paper = '', ...lines] = section.split('\n')
      return lines.filter(isRow).map((line) => {
        const cells = line.split('|').slice(1, -1)
        expect(cells, line).toHaveLength(5)
        const [what, inCode, tests, reach] = cells.map((cell) => cell.trim())
        return { paper, what: what!, code: quoted(inCode!), tests: quoted(tests!), reach: quoted(reach!) }
      })
    })
}

function isRow(line: string): boolean {
  return line.startsWith('| ') && !line.startsWith('| section')
}

function quoted(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, token]) => token!)
}

const rows = rowsOf(page)
const NAMED_FILE = /^[\w.-]+\.(?:ts|cc|h|md)$/

function isThere(token: string): boolean {
  if (/^(?:src|test|native|docs)\//.test(token)) return existsSync(path.join(ROOT, token)) || isFileOf(token)
  if (token.includes('/')) return sources.some((file) => file.endsWith(`/${token}`))
  return NAMED_FILE.test(token) ? names.has(token) : code.includes(/^[\w$.-]+/.exec(token)?.[0] ?? token)
}

/** A test may be named without its ending. */
function isFileOf(token: string): boolean {
  return existsSync(path.join(ROOT, `${token}.test.ts`))
}

describe('the page of the papers', () => {
  it('has five papers', () => {
    expect(new Set(rows.map(({ paper }) => paper)).size).toBe(5)
  })

  it.each(rows)('$paper: $what', ({ code: files, tests, reach }) => {
    for (const token of [...files, ...tests]) expect([token, isThere(token)]).toEqual([token, true])
    for (const token of reach) {
      const options = Array.from(token.matchAll(/--[a-z-]+/g), ([option]) => option)
      for (const option of options) expect([token, reference.includes(`\`${option}`)]).toEqual([token, true])
      const [command] = /^(?:freshdex )?lab [a-z]+/.exec(token) ?? []
      const heading = command === undefined ? '' : `### ${command.replace('freshdex ', '')}\n`
      expect([token, reference.includes(heading)]).toEqual([token, true])
      // Every word of a call or of an option is one of the reference.
      const words = token.replace(/\S+\.html/g, '').match(/[A-Za-z][\w]{2,}/g) ?? []
      for (const word of words) expect([token, word, reference.includes(word)]).toEqual([token, word, true])
    }
    if (files.length > 0) expect(tests.length).toBeGreaterThan(0)
  })
})
