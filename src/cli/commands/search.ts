import { type Command, Option } from 'commander'
import pc from 'picocolors'
import type { Explanation, Hit, Key, SearchResult } from '../../index.js'
import { MAX_LIMIT, MAX_OFFSET } from '../../search/search-options.js'
import { addExamples, asUsage, type Document, folder, integer, nameList, withReader } from '../command.js'
import { tellState } from '../output/explanation-text.js'
import { print, printJson, toJson } from '../output/output.js'
import { count, oneLine, shortened, table, thousands } from '../output/wording.js'

interface SearchCommandOptions {
  readonly limit: number
  readonly offset: number
  readonly operator: 'and' | 'or'
  readonly fields?: readonly string[]
  readonly docs: boolean
  readonly explain: boolean
  readonly refresh: boolean
  readonly orderBy: 'score' | 'priority'
  readonly json: boolean
}

const HEADLINE_LENGTH = 80

type Colors = ReturnType<typeof pc.createColors>

export function addSearchCommand(program: Command): void {
  const command = program
    .command('search')
    .description('the best hits for a query')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<query>', 'words, "phrases", prefix*, fuzzy~, field:word, -not, a OR b')
    .option('--limit <n>', `most hits, 0 to ${MAX_LIMIT}`, integer(0, MAX_LIMIT), 10)
    .option('--offset <n>', `hits to pass over first, 0 to ${MAX_OFFSET}`, integer(0, MAX_OFFSET), 0)
    .addOption(new Option('--operator <what>', 'what words side by side mean').choices(['and', 'or']).default('and'))
    .option('--fields <names>', 'the fields to search, with commas between them (default: all)', nameList)
    .option('--docs', 'show the stored documents', false)
    .option('--explain', 'show how each score came about', false)
    .option('--refresh', 'show refresh priority, age and expected gain of each hit', false)
    .addOption(
      new Option('--order-by <what>', 'which hits come first: the best, or those to refresh first')
        .choices(['score', 'priority'])
        .default('score'),
    )
    .option('--json', 'print one JSON document', false)
    .action(runSearchCommand)
  addExamples(
    command,
    'freshdex search pages.idx ferry',
    `freshdex search pages.idx 'title:harbour -"market day"' --limit 3 --explain`,
    'freshdex search pages.idx "ferry OR boat" --docs --json',
    'freshdex search pages.idx ferry --refresh --order-by priority',
    'freshdex search pages.idx -- "-draft ferry"',
  )
}

async function runSearchCommand(dir: string, query: string, options: SearchCommandOptions): Promise<void> {
  const { json, docs, ...rest } = options
  // People also get a headline out of each document.
  const result = await withReader(dir, (index) =>
    asUsage(() => withDocuments(index.search(query, { ...rest, docs: docs || !json }))),
  )
  if (json) printJson({ query, ...result })
  else print(tell(result, options))
}

/** Documents are decoded now: the index is about to close. */
function withDocuments(result: SearchResult<Document>): SearchResult<Document> {
  return { ...result, hits: result.hits.map((hit) => ({ ...hit })) }
}

function tell({ hits, total, truncated }: SearchResult<Document>, options: SearchCommandOptions): string {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
  const rows = hits.map((hit, at) => [
    thousands(options.offset + at + 1),
    hit.score.toFixed(3),
    oneLine(String(hit.key)),
    headline(hit.doc ?? {}, hit.key),
  ])
  const lines = table(rows).split('\n')
  const blocks = hits.flatMap((hit, at) => [paint(lines[at] ?? '', rows[at] ?? [], colors), ...details(hit, options)])
  const remark = truncated ? '; a prefix or fuzzy word had more expansions than were searched' : ''
  return [...blocks, colors.dim(`${thousands(hits.length)} of ${count(total, 'hit')}${remark}`)].join('\n')
}

/** Colours the line after it was laid out: escapes have a length and no width. */
function paint(line: string, [rank = '', score = '', key = '']: readonly string[], colors: Colors): string {
  const keyAt = line.indexOf(key, line.indexOf(score, rank.length) + score.length)
  const keyEnd = keyAt + key.length
  return colors.dim(line.slice(0, keyAt)) + colors.cyan(line.slice(keyAt, keyEnd)) + line.slice(keyEnd)
}

/** A title if there is one, else the first text that is not the key. */
function headline(document: Document, key: Key): string {
  const texts = [document.title, ...Object.values(document)].filter((value) => typeof value === 'string')
  return shortened(oneLine(texts.find((text) => text !== key && text.trim() !== '') ?? ''), HEADLINE_LENGTH)
}

function details({ doc, explain, refresh }: Hit<Document>, options: SearchCommandOptions): string[] {
  return [
    ...(options.docs && doc !== undefined ? [`    ${toJson(doc)}`] : []),
    ...(refresh === undefined ? [] : [`    ${tellState(refresh)}`]),
    ...(explain === undefined ? [] : account(explain)),
  ]
}

function account({ text, weight, terms }: Explanation): string[] {
  return [
    ...terms.map(
      ({ field, term, tf, df, idf, length, averageLength, score }) =>
        `    ${score.toFixed(3)}  ${field}:${oneLine(term)}, ${count(tf, 'time')} among ${count(length, 'token')} (average ${averageLength.toFixed(1)}), in ${count(df, 'document')}, rarity ${idf.toFixed(3)}`,
    ),
    ...(weight === 0 ? [] : [`    text ${text.toFixed(3)}, weight ${weight.toFixed(3)}`]),
  ]
}
