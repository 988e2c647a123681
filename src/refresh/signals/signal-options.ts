/** What may be said of a signal. */
import { MAX_TIME_MS } from '../../base/time.js'
import { choiceOption, numberOption, readOptions } from '../../option-checks.js'
import { isDated, SIGNAL_KINDS, type SignalKind } from './signal-kinds.js'

export interface SignalOptions {
  /** How the news came: a sitemap's lastmod, an ETag or Last-Modified that is another, an entry of a feed, or a push. */
  readonly kind: SignalKind
  /** When it was heard, in milliseconds since 1970. Default now. */
  readonly at?: number
  /** Of 'sitemap', 'last-modified' and 'feed': when the document changed, as they say. Counts only if that is after its last refresh. */
  readonly value?: number
}

export interface SignalNews {
  readonly kind: SignalKind
  readonly atMs: number
  readonly valueMs: number | undefined
}

const TIME_RANGE = { min: 0, max: MAX_TIME_MS } as const

export function readSignalOptions(options: unknown, nowMs: number): SignalNews {
  const { kind, at, value } = readOptions('signal', options, ['kind', 'at', 'value'])
  if (kind === undefined) throw new TypeError(`signal needs a kind: ${SIGNAL_KINDS.join(', ')}`)
  const known = choiceOption<SignalKind>('kind', kind, 'push', SIGNAL_KINDS)
  if (value !== undefined && !isDated(known)) {
    const dated = SIGNAL_KINDS.filter(isDated).join(', ')
    throw new TypeError(`value is the time that a signal of kind ${dated} has, received one with kind ${known}`)
  }
  return {
    kind: known,
    atMs: numberOption('at', at, nowMs, TIME_RANGE),
    valueMs: value === undefined ? undefined : numberOption('value', value, 0, TIME_RANGE),
  }
}
