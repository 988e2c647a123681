/** Signals from files that sites publish: `freshdex signal DIR --sitemap FILE`, and the same for feeds and logs of headers. */
import { createReadStream, writeFileSync } from 'node:fs'
import { FreshdexError } from '../errors.js'
import type { SignalImportOptions, SignalImportReport, SignalImportSource } from '../refresh/signal-import.js'
import { inputBytes, STDIN, sourceName } from './input-lines.js'
import { LineRefused } from './line-fault.js'
import { withIndex } from './open-index.js'
import { showProgress } from './progress.js'
import { isoTime } from './time-text.js'
import { asUsage } from './usage-error.js'
import { count, oneLine, thousands } from './wording.js'

export const IMPORTED = ['sitemap', 'feed', 'headers'] as const
export type Imported = (typeof IMPORTED)[number]

/** MALFORMED with the name of the file, and the line where that is known. */
export async function importFile(
  dir: string,
  what: Imported,
  file: string,
  options: SignalImportOptions,
): Promise<SignalImportReport> {
  const totalBytes = inputBytes([file])
  // Read before the index is opened: whoever writes it slowly keeps no other writer out.
  const pieces = file === STDIN ? await allOf(process.stdin) : createReadStream(file)
  const progress = showProgress(totalBytes, 'kB')
  const counted = async function* () {
    let bytes = 0
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      yield piece
      bytes += piece.length
      progress.update({ part: bytes, things: Math.round(bytes / 1000) })
    }
  }
  try {
    const source = { [what]: counted() } as unknown as SignalImportSource
    return await withIndex(dir, {}, (index) => asUsage(() => index.refresh.importSignals(source, options)))
  } catch (error) {
    throw error instanceof FreshdexError && error.code === 'MALFORMED' ? refusal(file, error) : error
  } finally {
    progress.stop()
  }
}

async function allOf(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

function refusal(file: string, { code, message, detail }: FreshdexError): Error {
  const [source, { line }] = [sourceName(file), detail]
  if (typeof line !== 'number') return new FreshdexError('MALFORMED', `${source}: ${message}`, { detail })
  return new LineRefused({ source, line, code, message: message.replace(`line ${line}: `, '') })
}

/** Lines that `observe --from` takes. */
export function writeOutcomes(file: string, { outcomes }: SignalImportReport): void {
  const lines = outcomes.map(([key, { outcome, at }]) => `${key}\t${outcome}\t${isoTime(at)}\n`)
  writeFileSync(file, lines.join(''))
}

export function tellImport(report: SignalImportReport): string {
  const { signals, repeated, unchanged, unknown, added, skipped, sitemaps, outcomes } = report
  const seen = (outcome: string) => thousands(outcomes.filter(([, each]) => each.outcome === outcome).length)
  return [
    `${count(signals, 'signal')} recorded, ${thousands(repeated)} known before, ${count(unchanged, 'document')} unchanged`,
    ...(unknown === 0 ? [] : [`${count(unknown, 'page')} unknown, ${thousands(added)} added to the frontier`]),
    ...(outcomes.length === 0 ? [] : [`to observe: ${seen('same')} the same, ${seen('gone')} gone`]),
    ...skipped.map(
      ({ reason, count, example }) => `skipped ${thousands(count)}: ${reason}, such as ${oneLine(example)}`,
    ),
    ...sitemaps.map(({ url }) => `further sitemap: ${oneLine(url)}`),
  ].join('\n')
}
