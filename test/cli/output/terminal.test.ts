/** What commands show on a terminal while they are at work, on a real one. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonLines, PAGE_OPTIONS, PAGES, Workplace } from '../program.js'

const program = fileURLToPath(new URL('../../../dist/cli/freshdex.js', import.meta.url))
/** Python has pseudo terminals, and whoever can build freshdex has Python. */
const TERMINAL = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'

const place = new Workplace()

beforeAll(() => place.feed(jsonLines(PAGES), 'index', 'pages', ...PAGE_OPTIONS))
afterAll(() => place.remove())

/** Runs a command on a terminal, and tells `onShown` all that it has shown so far. */
async function onTerminal(line: string, onShown: (shown: string) => void): Promise<{ shown: string; status: number }> {
  const words = ['-c', TERMINAL, 'sh', '-c', line]
  const env = { ...process.env, TERM: 'xterm' }
  const child = spawn('python3', words, { cwd: place.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    onShown(shown)
  })
  const status = await new Promise<number>((resolve) => child.once('close', resolve))
  return { shown, status }
}

it('says on the terminal that a command is still at work, and prints its JSON untouched', async () => {
  execFileSync('mkfifo', [place.path('outcomes')])
  let isAnswered = false
  const line = `exec '${process.execPath}' '${program}' observe pages --from outcomes --json > printed.json`
  const { shown, status } = await onTerminal(line, (sofar) => {
    if (isAnswered || !sofar.includes('freshdex observe at work for 1 s')) return
    isAnswered = true
    writeFileSync(place.path('outcomes'), '/ferry\tsame\n')
  })
  expect([isAnswered, status]).toEqual([true, 0])
  expect(shown.endsWith('\r\u001b[K')).toBe(true)
  expect(JSON.parse(readFileSync(place.path('printed.json'), 'utf8'))).toEqual({ observed: 1 })
})

it('shows nothing where standard error is no terminal', async () => {
  const line = `'${process.execPath}' '${program}' check pages 2> complaints`
  const { shown, status } = await onTerminal(line, () => {})
  expect([shown, status]).toEqual([expect.stringMatching(/^3 documents, .*no faults\r\n$/), 0])
  expect(readFileSync(place.path('complaints'), 'utf8')).toBe('')
})
