/** Compares what a file says about a page with the copy that the index has. */
import { kindBit, type SignalKind } from '../../../ledger/signals.js'

/** What the index knows about the page. */
export interface KnownPage {
  /** When the copy was refreshed. */
  readonly refreshedMs: number
  /** The kinds of signals since then, as a set of bits. */
  readonly signalKinds: number
  /** The ETag of the copy, if known. */
  readonly etag: string | undefined
}

/** A kind of signal, and what it says. */
export interface Verdict {
  readonly kind: SignalKind
  /**
   * 'repeated': changed, as signals of this kind have said since the last refresh. 'outdated': older than the refresh.
   */
  readonly says: 'changed' | 'repeated' | 'same' | 'outdated'
  readonly atMs: number
  /** When the page changed, if the file says so. */
  readonly valueMs: number | undefined
}

/** The result of a probe that is an outcome for `observe`. */
export interface ProbedOutcome {
  readonly outcome: 'same' | 'gone'
  readonly atMs: number
}

/** The verdict on a page that changed at `valueMs`, according to a file fetched at `atMs`. */
export function judgeDate(kind: SignalKind, valueMs: number, atMs: number, page: KnownPage): Verdict {
  const { refreshedMs } = page
  const says = atMs < refreshedMs ? 'outdated' : valueMs <= refreshedMs ? 'same' : changedOrRepeated(kind, page)
  return { kind, says, atMs, valueMs }
}

/** A probe that says something about a page. */
export interface PageProbe {
  readonly atMs: number
  /** Undefined counts as 200. */
  readonly status: number | undefined
  readonly etag: string | undefined
  readonly lastModifiedMs: number | undefined
}

export interface ProbeVerdicts {
  readonly verdicts: readonly Verdict[]
  readonly outcome: ProbedOutcome | undefined
}

const NOT_MODIFIED = 304

/** Statuses of a page that is gone. */
export function isGone(status: number | undefined): boolean {
  return status === 404 || status === 410
}

/** Statuses of a page that is there, changed or not. */
export function isAnswer(status: number | undefined): boolean {
  return status === undefined || status === NOT_MODIFIED || (status >= 200 && status < 300)
}

/**
 * An ETag is compared with that of the copy: the known one, or the last that was seen up to the refresh, or the first
 * after it.
 *
 * A 304 says that the page is the version that the client knew. That is not the copy if the page has shown another ETag
 * or date since, in this log or an earlier one: then the 304 is no outcome, and the signal waits for a refresh that
 * answers it. REQUIRES: probes in the order of time.
 */
export function judgeProbes(probes: readonly PageProbe[], page: KnownPage): ProbeVerdicts {
  let copyEtag = page.etag
  let outcome: ProbedOutcome | undefined
  const found: { etag: Verdict | undefined; date: Verdict | undefined } = { etag: undefined, date: undefined }
  const isSignalled = (page.signalKinds & (kindBit('etag') | kindBit('last-modified'))) !== 0
  for (const probe of probes) {
    const { atMs, status, etag } = probe
    if (atMs <= page.refreshedMs) {
      if (page.etag === undefined) copyEtag = etag ?? copyEtag
      continue
    }
    found.etag = laterVerdict(found.etag, etagVerdict(probe, copyEtag, page))
    found.date = laterVerdict(found.date, dateVerdict(probe, page))
    copyEtag ??= etag
    const isChanged = [found.etag, found.date].some((verdict) => verdict !== undefined && verdict.says !== 'same')
    const isOfCopy = etag !== undefined && page.etag !== undefined ? etag === page.etag : !isSignalled
    if (isGone(status)) outcome = { outcome: 'gone', atMs }
    else if (status === NOT_MODIFIED && !isChanged && isOfCopy) outcome = { outcome: 'same', atMs }
    else if (outcome?.outcome === 'gone') outcome = undefined
  }
  return { verdicts: [found.etag, found.date].filter((verdict) => verdict !== undefined), outcome }
}

function etagVerdict({ atMs, etag }: PageProbe, copyEtag: string | undefined, page: KnownPage): Verdict | undefined {
  if (etag === undefined || copyEtag === undefined) return undefined
  const says = etag === copyEtag ? 'same' : changedOrRepeated('etag', page)
  return { kind: 'etag', says, atMs, valueMs: undefined }
}

function dateVerdict({ atMs, lastModifiedMs }: PageProbe, page: KnownPage): Verdict | undefined {
  return lastModifiedMs === undefined ? undefined : judgeDate('last-modified', lastModifiedMs, atMs, page)
}

/** The first verdict that the page has changed is kept, with its time. */
function laterVerdict(before: Verdict | undefined, after: Verdict | undefined): Verdict | undefined {
  return before === undefined || (before.says === 'same' && after !== undefined) ? after : before
}

function changedOrRepeated(kind: SignalKind, { signalKinds }: KnownPage): 'changed' | 'repeated' {
  return (signalKinds & kindBit(kind)) === 0 ? 'changed' : 'repeated'
}
