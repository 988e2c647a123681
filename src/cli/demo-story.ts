import type { DemoReport, DemoRound, SearchOutcome } from './demo.js'
import { count, thousands } from './wording.js'

/** The report of the demonstration as something to read. */
export function tellStory(report: DemoReport): string {
  return [opening(report), ...report.rounds.map(chapter), ending(report)].map((lines) => lines.join('\n')).join('\n\n')
}

function opening({ seed, site, firstWrite, terms }: DemoReport): string[] {
  const { static: still, churning, scrolling } = site.census
  const { tokens, postings } = firstWrite.report
  return [
    `An invented site, seed ${seed}: ${count(site.pages, 'page')}, ${kilobytes(site.bytes)} of text.`,
    `${count(still, 'page')} hardly ever change, ${thousands(churning)} carry notices that are replaced, ${thousands(scrolling)} a list of news that scrolls.`,
    '',
    `Indexed in ${milliseconds(firstWrite.ms)}: ${count(tokens.total, 'token')}, ${count(terms, 'distinct term')}, ${count(postings.total, 'posting')}.`,
  ]
}

function chapter({ week, events, changed, added, gone, write, searches }: DemoRound): string[] {
  const { tokens, postings } = write.report
  return [
    `Week ${week}${events.length > 0 ? `, the week of the ${events.join(' and the ')}` : ''}`,
    `  refreshed ${thousands(changed)} changed, ${thousands(added)} new and ${thousands(gone)} vanished pages in ${milliseconds(write.ms)}`,
    `  tokenised again ${share(tokens.tokenized, tokens.total)} of their tokens, made ${thousands(postings.written)} changes to postings, of which they hold ${thousands(postings.total)}`,
    ...searches.map(({ before, after }) => `  ${comparison(before, after)}`),
  ]
}

function comparison(before: SearchOutcome, after: SearchOutcome): string {
  const change = before.total === after.total ? `${after.total}` : `${before.total} -> ${after.total}`
  const best = after.top[0]
  const remark =
    best === undefined ? '' : before.top[0] === best || before.top.length === 0 ? `best: ${best}` : `best now: ${best}`
  return `${after.query.padEnd(24)} ${`${change} ${after.total === 1 ? 'page' : 'pages'}`.padEnd(16)} ${remark}`.trimEnd()
}

function ending({ snapshot, secondWrite, explained, check }: DemoReport): string[] {
  const { unchanged, tokens } = secondWrite.report
  return [
    `The whole site put once more in ${milliseconds(secondWrite.ms)}: ${count(unchanged, 'page')} unchanged, ${count(tokens.tokenized, 'token')} of ${thousands(tokens.total)} tokenised again.`,
    ...(snapshot.searches.length === 0 ? [] : [recollection(snapshot)]),
    ...(explained === undefined ? [] : explanationLines(explained)),
    check.ok
      ? `Checked afterwards: ${count(check.documents, 'document')}, ${count(check.terms, 'term')}, ${count(check.postings, 'posting')}, no faults.`
      : `Checked afterwards: ${count(check.faults.length, 'fault')}, the first: ${check.faults[0]?.message}`,
  ]
}

function recollection({ documents, searches }: DemoReport['snapshot']): string {
  const found = searches.filter(({ total }) => total > 0)
  const events = found.map(({ query, total }) => `${query} on ${count(total, 'page')}`).join(', ')
  return `A snapshot from before the first refresh still has ${count(documents, 'page')}, and finds ${events || 'none of these events'}.`
}

function explanationLines({ query, key, explanation }: NonNullable<DemoReport['explained']>): string[] {
  const parts = explanation.terms.map(
    ({ field, term, tf, idf, score }) =>
      `${term} in ${field}, ${count(tf, 'time')}, with a rarity of ${idf.toFixed(2)}, gives ${score.toFixed(3)}`,
  )
  return [`Why ${query} ranks ${key} first, with ${explanation.score.toFixed(3)}: ${parts.join('; ')}.`]
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)}%`
}

function kilobytes(bytes: number): string {
  return `${thousands(Math.round(bytes / 1000))} kB`
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
}
