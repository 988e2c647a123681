import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type RunProgress, runResumably } from '../../../src/lab/frame/experiment.js'
import { ResultFile } from '../../../src/lab/frame/result-file.js'

const folder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-results-'))
const question = { experiment: 'squares', offset: 1, seed: 7 }
const script = new URL('./squares-thread.mjs', import.meta.url)

type Task = { readonly value: number; readonly act?: string }
type Row = { readonly square: number }

afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function newFile(): string {
  return path.join(folder, `${files++}.jsonl`)
}

function open(file: string, other: Partial<typeof question> = {}): ResultFile<Task, Row> {
  return new ResultFile(file, { ...question, ...other })
}

/** The file after two results. */
function written(): { readonly file: string; readonly content: string } {
  const file = newFile()
  const results = open(file)
  results.add({ value: 1 }, { square: 2 })
  results.add({ value: 1 / 3 }, { square: 1 + 1 / 9 })
  results.close()
  return { file, content: readFileSync(file, 'utf8') }
}

describe('a file of results', () => {
  it('gives back what it was given', () => {
    const { file } = written()
    const results = open(file)
    expect(results.size).toBe(2)
    expect(results.get({ value: 1 })).toEqual({ square: 2 })
    expect(results.get({ value: 1 / 3 })).toEqual({ square: 1 + 1 / 9 })
    expect(results.get({ value: 2 })).toBeUndefined()
    results.close()
  })

  it('goes on behind its last whole line, wherever it was cut off', () => {
    const { content } = written()
    const [header = '', first = ''] = content.split('\n')
    for (let length = 0; length <= content.length; length++) {
      const file = newFile()
      writeFileSync(file, content.slice(0, length))
      const results = open(file)
      const known = length === content.length ? 2 : length > header.length + 1 + first.length ? 1 : 0
      expect([length, results.size]).toEqual([length, known])
      if (results.get({ value: 1 }) === undefined) results.add({ value: 1 }, { square: 2 })
      if (known < 2) results.add({ value: 1 / 3 }, { square: 1 + 1 / 9 })
      results.close()
      expect(readFileSync(file, 'utf8')).toBe(content)
    }
  })

  it('is refused when it answers another question, and stays as it is', () => {
    const { file, content } = written()
    expect(() => open(file, { seed: 8 })).toThrow(
      expect.objectContaining({
        code: 'MISMATCH',
        message: `the results in ${file} are of another run: seed is 7 there and 8 here`,
      }),
    )
    expect(() => open(file, { experiment: 'cubes' })).toThrow('experiment is "squares" there and "cubes" here')
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('is refused when it is something else, and stays as it is', () => {
    for (const content of ['my notes', 'my notes\n', '{"a":1}\n', 'null\n', '[]\n[]\n']) {
      const file = newFile()
      writeFileSync(file, content)
      expect(() => open(file)).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
      expect(readFileSync(file, 'utf8')).toBe(content)
    }
    expect(() => open(folder)).toThrow(expect.objectContaining({ code: 'IO' }))
    const nowhere = path.join(folder, 'no', 'such')
    expect(() => open(nowhere)).toThrow(expect.objectContaining({ code: 'IO' }))
    expect(existsSync(nowhere)).toBe(false)
  })

  it('is refused with a damaged line in the middle', () => {
    const { file } = written()
    appendFileSync(file, '{"task":{"value":3},"row":\n{"task":{"value":4},"row":{"square":17}}\n')
    expect(() => open(file)).toThrow(
      expect.objectContaining({ code: 'CORRUPT', message: expect.stringMatching(/^line 4 of /) }),
    )
  })
})

describe('a run that was stopped', () => {
  const tasks: Task[] = [3, 1, 4, 5].map((value) => ({ value }))
  const options = { script, input: { offset: 1 }, workers: 2 }

  it('computes only what is missing, and gives the rows of a run that was not', async () => {
    const whole = await runResumably<Task, Row>(tasks, options)
    expect(whole).toEqual([10, 2, 17, 26].map((square) => ({ square })))
    const file = newFile()
    const before = open(file)
    // No thread says so: a row that comes from the file and not from a thread.
    before.add({ value: 4 }, { square: -17 })
    before.close()
    const results = open(file)
    const progress: RunProgress[] = []
    const onProgress = (sofar: RunProgress) => progress.push(sofar)
    const rows = await runResumably<Task, Row>(tasks, { ...options, results, onProgress })
    results.close()
    expect(rows.map(({ square }) => square)).toEqual([10, 2, -17, 26])
    expect([...new Set(progress.map(({ doneTasks }) => doneTasks))]).toEqual([0, 1, 2, 3])
    // Two threads that are half done make a whole task more.
    for (const { part, doneTasks } of progress) expect([0, 0.5, 1]).toContain(part - doneTasks)
    expect(progress.at(-1)).toEqual({ doneTasks: 3, tasks: 3, part: 3 })
    // Each tells when it is half done.
    expect(progress.map(({ part }) => part)).toContain(0.5)
    expect(open(file).size).toBe(4)
  })

  it('keeps what was done before a failure', async () => {
    const file = newFile()
    const results = open(file)
    const failing = [...tasks, { value: 9, act: 'refuse' }]
    await expect(runResumably(failing, { ...options, workers: 1, results })).rejects.toThrow('9 is refused')
    results.close()
    expect(open(file).size).toBe(4)
  })
})
