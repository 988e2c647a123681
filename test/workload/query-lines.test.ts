import { describe, expect, it } from 'vitest'
import { type QueryLine, readQueryLines } from '../../src/workload/query-lines.js'

async function read(lines: AsyncIterable<string> | Iterable<string>): Promise<QueryLine[]> {
  const queries: QueryLine[] = []
  for await (const query of readQueryLines(lines)) queries.push(query)
  return queries
}

describe('lines of queries', () => {
  it('have a query and a count', async () => {
    const lines = ['\ufeffhtml table\t8900\r', 'cookies', '', ' \t\r', '#include <map>\t.5', 'a\tb\t1e3', ' c \t 2 ']
    expect(await read(lines)).toEqual([
      { text: 'html table', count: 8900, line: 1 },
      { text: 'cookies', count: 1, line: 2 },
      { text: '#include <map>', count: 0.5, line: 5 },
      { text: 'a\tb', count: 1000, line: 6 },
      { text: 'c', count: 2, line: 7 },
    ])
  })

  it('come from an asynchronous source, too', async () => {
    const source = async function* () {
      yield 'a\t2'
    }
    expect(await read(source())).toEqual([{ text: 'a', count: 2, line: 1 }])
  })

  it.each(['a\tmany', 'a\t', 'a\t0', 'a\t-1', 'a\t1,000', 'a\tInfinity', 'a\t1e999', 'a\t0x10', 'a\t3\tnote'])(
    'are refused by number with the count of %j',
    async (line) => {
      const reading = read(['fine', line])
      await expect(reading).rejects.toThrow(RangeError)
      await expect(reading).rejects.toThrow('line 2: the count behind the tab must be a number above 0')
      await expect(reading).rejects.toThrow(JSON.stringify(line))
    },
  )

  it('are refused without a query', async () => {
    await expect(read(['\t5'])).rejects.toThrow('line 1: there must be a query before the tab, received "\\t5"')
  })
})
