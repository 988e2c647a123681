/** `freshdex lab quality --index`: pages are scored, and questions asked, as an index does it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Freshdex, type OpenOptions } from '../../../src/index.js'
import { countWorld, openWorld, readFolderQueries, scoreVersions, untouchedLosses } from '../../../src/lab/index.js'
import { refused, Workplace } from '../program.js'
import { writeLabFolder } from './lab-folder.js'

const place = new Workplace()
const run = ['lab', 'quality', '--workers', '1', '--budgets', '5%', '--policies', 'uniform,quality-utility,oracle']

beforeAll(async () => {
  await writeLabFolder(place.path('site'))
  cpSync(place.path('site'), place.path('unasked'), { recursive: true })
  rmSync(place.path('unasked/queries.tsv'))
  const asked = await readFolderQueries(place.path('site'))
  const queries = asked.map(({ query, count }) => [query, count] as const)
  await makeIndex('english.idx', { analyzer: 'english', fields: { title: { boost: 2 }, body: {}, tags: {} } }, queries)
  await makeIndex('standard.idx', { fields: { title: { boost: 2 }, text: {} } }, queries)
  await makeIndex('hashed.idx', { workload: { privacy: 'hash' } }, queries)
  await makeIndex('empty.idx', {}, [])
})
afterAll(() => place.remove())

async function makeIndex(
  name: string,
  options: Partial<OpenOptions<Record<string, unknown>>>,
  queries: readonly (readonly [string, number])[],
): Promise<void> {
  const fields = { title: {}, body: {} }
  await using index = await Freshdex.open<Record<string, unknown>>(place.path(name), { key: 'url', fields, ...options })
  await index.write({ put: [{ url: '/a', title: 'a', body: 'a page', text: 'a page', tags: 'one' }] })
  await index.workload.load(queries)
}

async function figures(...args: readonly string[]) {
  const { status, stdout, stderr } = await place.run(...run, ...args, '--json')
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('scores by the model, boosts and analyzer of the index, as the functions of the lab do', async () => {
  const [english, standard, byOption, usual] = await Promise.all([
    figures('--data', 'site', '--index', 'english.idx'),
    figures('--data', 'site', '--index', 'standard.idx'),
    figures('--data', 'site', '--scoring', 'bm25'),
    figures('--data', 'site'),
  ])
  const { answering, queriesFrom, ...rest } = standard
  expect(rest).toEqual(byOption)
  expect([answering.analyzer, answering.model, queriesFrom]).toEqual(['standard', 'bm25', 'folder'])
  expect(english.answering).toEqual({
    ...{ index: 'english.idx', analyzer: 'english', model: 'bm25', k1: 1.2, b: 0.75, leftOutFields: ['tags'] },
    fields: { title: { name: 'title', boost: 2 }, text: { name: 'body', boost: 1 } },
  })
  const counted = await countWorld(await openWorld(place.path('site')), await readFolderQueries(place.path('site')), {
    analyzer: 'english',
  })
  const scores = scoreVersions(counted, { model: 'bm25' })
  expect(english.untouchedQuality).toBe(untouchedLosses({ timeline: counted.timeline, scores }).meanQuality)
  expect(english.rows).not.toEqual(usual.rows)
  expect(english.rows).not.toEqual(standard.rows)
})

it('asks what the index has learnt where the folder has no queries, the same as its export', async () => {
  const told = ['--index', 'english.idx', '--data']
  const learnt = await figures(...told, 'unasked')
  expect(await figures(...told, 'unasked')).toEqual(learnt)
  cpSync(place.path('unasked'), place.path('exported'), { recursive: true })
  const { stdout } = await place.run('workload', 'export', 'english.idx')
  writeFileSync(place.path('exported/queries.tsv'), stdout)
  const exported = await figures(...told, 'exported')
  expect([learnt.queriesFrom, exported.queriesFrom]).toEqual(['index', 'folder'])
  expect(learnt.queries).toBe(exported.queries)
  expect(learnt.untouchedQuality).toBeCloseTo(exported.untouchedQuality, 6)
  for (const [at, { policy, meanQuality }] of learnt.rows.entries()) {
    expect(exported.rows[at].policy).toBe(policy)
    expect(meanQuality).toBeCloseTo(exported.rows[at].meanQuality, 6)
  }
})

it('says in words by what it scored and what it asked, also in a report', async () => {
  const { stdout } = await place.run(...run, '--data', 'unasked', '--index', 'english.idx', '--report', 'report.html')
  for (const text of [stdout, readFileSync(place.path('report.html'), 'utf8')]) {
    expect(text).toContain('Scores are those of the index english.idx: bm25 (k1 1.2, b 0.75), words by the analyzer')
    expect(text).toContain('Left out: the field tags of the index')
    expect(text).toContain('The queries are the workload of the index english.idx.')
  }
  expect((await place.run(...run, '--data', 'site', '--index', 'english.idx')).stdout).toContain(
    'The queries are those of queries.tsv.',
  )
})

it('keeps results of another index, or of none, apart', async () => {
  const kept = [...run, '--data', 'site', '--resume', 'kept.jsonl']
  const first = await place.run(...kept, '--index', 'english.idx', '--json')
  expect(await place.run(...kept, '--index', 'english.idx', '--json')).toEqual(first)
  expect(await place.run(...kept, '--index', 'standard.idx')).toEqual(refused('answering is .* \\(MISMATCH\\)', 1))
  expect(await place.run(...kept, '--scoring', 'bm25')).toEqual(refused('answering is .* \\(MISMATCH\\)', 1))
})

it('refuses what contradicts an index, and an index that cannot say what people ask', async () => {
  const quality = (...args: string[]) => place.run('lab', 'quality', ...args)
  expect(await quality('--data', 'site', '--index', 'english.idx', '--scoring', 'tfidf')).toMatchObject({
    ...{ status: 2, stderr: expect.stringMatching(/'--index <dir>' cannot be used with option '--scoring <model>'/) },
  })
  expect((await quality('--world', 'one-daily', '--index', 'english.idx')).status).toBe(2)
  const remedy = 'put a queries\\.tsv into unasked'
  expect(await quality('--data', 'unasked', '--index', 'hashed.idx')).toEqual(refused(`only hashes.*${remedy}`))
  expect(await quality('--data', 'unasked', '--index', 'empty.idx')).toEqual(refused(`no query yet.*${remedy}`))
  expect(await quality('--data', 'site', '--index', 'none.idx')).toEqual(refused("no index at '.*none\\.idx'", 1))
})
