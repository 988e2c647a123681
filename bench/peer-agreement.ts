/**
 * Do peers find as many pages? Stems and borders of words differ, so that totals need not be the same. Where every word
 * of a query by itself is in as many pages of both, the words are taken to be the same, and then answers should be.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ClassQuery, STOP_WORD } from './class-queries.js'
import type { AnswerReport } from './peer-contract.js'
import { runPeer } from './peer-process.js'
import { FRESHDEX } from './peer-programs.js'
import { type BuiltPeer, type PeerCollection, type Round, writeQuestions } from './peer-rounds.js'

/** For all words, each asked once. */
const BUDGET_MS = 60_000

export interface Agreement {
  /** Answered with a total by both. */
  readonly queries: number
  /** Share of them with the same total. */
  readonly equal: number
  /** Matches of all of them, by those of freshdex: how much more there was to find. */
  readonly matchesRatio: number
  /** Queries whose words are the same by themselves. */
  readonly sameWords: number
  /** Share of these with the same total; 0 if there are none. */
  readonly equalOfSameWords: number
}

/** By peer and class. */
export function agreements(
  built: readonly BuiltPeer[],
  collection: PeerCollection,
  asked: readonly ClassQuery[],
  round: Round,
): Record<string, Record<string, Agreement>> {
  const words = [...new Set(asked.flatMap(wordsOf))]
  const exact = (name: string) => round.get(name)!.exact
  const rivals = built.filter(
    ({ peer }) => peer !== FRESHDEX && exact(peer.name).totals.some((total) => total !== null),
  )
  const ours = built.find(({ peer }) => peer === FRESHDEX)!
  const ourWords = wordTotals(ours, collection, words)
  const result: Record<string, Record<string, Agreement>> = {}
  for (const rival of rivals) {
    const theirWords = wordTotals(rival, collection, words)
    const isSame = (word: string) => theirWords.get(word) !== null && theirWords.get(word) === ourWords.get(word)
    const [left, right] = [exact(FRESHDEX.name), exact(rival.peer.name)]
    const classes = [...new Set(asked.map((query) => query.class))]
    const rows = classes.flatMap((name) => {
      const row = agreementOf(asked, name, left, right, isSame)
      return row === undefined ? [] : [[name, row] as const]
    })
    result[rival.peer.name] = Object.fromEntries(rows)
  }
  return result
}

function wordsOf({ words }: ClassQuery): string[] {
  return words.split(' ').filter((word) => word !== STOP_WORD)
}

function wordTotals(
  { command, index }: BuiltPeer,
  { pages }: PeerCollection,
  words: readonly string[],
): Map<string, number | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-words-'))
  try {
    const asked = words.map((word) => ({ class: 'word', stratum: '', kind: 'term', words: word }) as const)
    const questions = writeQuestions(path.join(folder, 'questions'), asked)
    const { totals } = runPeer(command, {
      ...{ step: 'ask', counting: 'exact', pages, index, questions },
      ...{ passes: 1, budgetMs: BUDGET_MS },
    })
    return new Map(words.map((word, at) => [word, totals[at] ?? null]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function agreementOf(
  asked: readonly ClassQuery[],
  name: string,
  ours: AnswerReport,
  theirs: AnswerReport,
  isSame: (word: string) => boolean,
): Agreement | undefined {
  const places = [...asked.keys()].filter((place) => {
    return asked[place]!.class === name && ours.totals[place] != null && theirs.totals[place] != null
  })
  if (places.length === 0) return undefined
  const isEqual = (place: number) => ours.totals[place] === theirs.totals[place]
  const matches = ({ totals }: AnswerReport) => places.reduce((sum, place) => sum + totals[place]!, 0)
  const same = places.filter((place) => wordsOf(asked[place]!).every(isSame))
  return {
    queries: places.length,
    equal: places.filter(isEqual).length / places.length,
    matchesRatio: matches(theirs) / matches(ours),
    sameWords: same.length,
    equalOfSameWords: same.length === 0 ? 0 : same.filter(isEqual).length / same.length,
  }
}
