/**
 * What may be known about a page, and what follows from it. Unknown facts are left out; features are computed from
 * the others.
 */

import { hostOf } from '../base/hosts.js'
import type { PackedHistory } from './change-weights.js'

/** How often each word occurs. */
export type WordCounts = ReadonlyMap<string, number>

export const FILE_TYPES = ['html', 'txt', 'other'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** What may be known about one version of a page. */
export interface VersionFacts {
  readonly title?: string
  /** Without markup. */
  readonly text?: string
  /** Replaces title and text, for example by words from an analyzer; without stop words. */
  readonly words?: WordCounts
  readonly images?: number
  readonly tables?: number
  /** The number of words without markup. Default: those of the text. */
  readonly wordCount?: number
  /** The number of bytes without markup. Default: the UTF-8 bytes of the text. */
  readonly bytes?: number
  readonly pageRank?: number
  /** Links from other pages that are known. */
  readonly inlinks?: number
  readonly outlinks?: number
  /** The number of e-mail addresses. Default: those in the text. */
  readonly emails?: number
}

export interface PageFacts extends VersionFacts {
  readonly url: string
  /** Default: by the ending of the URL. */
  readonly fileType?: FileType
  /** The version of the fetch before. */
  readonly before?: VersionFacts
  /** Cosine between the words of both versions, 0 to 1. Default: computed from their words. */
  readonly similarity?: number
  /** The cycles in which the page was seen to change. */
  readonly history?: PackedHistory
}

const WORD = /[\p{L}\p{N}]+/gu
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const AUTHORITY = /^\/\/[^/]*/
const HTML_ENDINGS = new Set(['', 'html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'cgi'])
const TXT_ENDINGS = new Set(['txt', 'text', 'md', 'rst'])

/** Undefined where neither words nor text are known. */
export function wordsOf({ words, title, text }: VersionFacts): WordCounts | undefined {
  if (words !== undefined) return words
  return text === undefined ? undefined : countWords(`${title ?? ''} ${text}`)
}

/** All words of a URL but its scheme. */
export function urlWordsOf(url: string): WordCounts {
  return countWords(url.replace(SCHEME, ''))
}

export function wordCountOf(facts: VersionFacts, words = wordsOf(facts)): number | undefined {
  if (facts.wordCount !== undefined || words === undefined) return facts.wordCount
  let sum = 0
  for (const count of words.values()) sum += count
  return sum
}

export function bytesOf({ bytes, text }: VersionFacts): number | undefined {
  return bytes ?? (text === undefined ? undefined : Buffer.byteLength(text))
}

export function emailsOf({ emails, text }: VersionFacts): number | undefined {
  return emails ?? text?.match(EMAIL)?.length ?? (text === undefined ? undefined : 0)
}

/** The number of slashes in the path. */
export function depthOf(url: string): number {
  return pathOf(url).split('/').length - 1
}

/** The last part of the name of the host, in lower case; '' where the host is an address, or has only one part. */
export function topLevelDomainOf(url: string): string {
  const name = hostOf(url).replace(/:\d*$/, '').replace(/\.$/, '')
  const [, domain = ''] = /\.([^.\d][^.]*)$/.exec(name) ?? []
  return domain.toLowerCase()
}

export function fileTypeOf({ fileType, url }: PageFacts): FileType {
  if (fileType !== undefined) return fileType
  const [, ending = ''] = /\.([^./]*)$/.exec(pathOf(url)) ?? []
  const known = ending.toLowerCase()
  if (HTML_ENDINGS.has(known)) return 'html'
  return TXT_ENDINGS.has(known) ? 'txt' : 'other'
}

/**
 * Cosine between the words of a page now and before; undefined where one of them is unknown; 1 for two empty texts.
 */
export function similarityOf({ similarity, before }: PageFacts, words: WordCounts | undefined): number | undefined {
  if (similarity !== undefined) return similarity
  const earlier = before === undefined ? undefined : wordsOf(before)
  if (words === undefined || earlier === undefined) return undefined
  const norms = Math.sqrt(squares(words) * squares(earlier))
  if (norms === 0) return words.size === earlier.size ? 1 : 0
  let product = 0
  for (const [word, count] of words) product += count * (earlier.get(word) ?? 0)
  return product / norms
}

function squares(words: WordCounts): number {
  let sum = 0
  for (const count of words.values()) sum += count ** 2
  return sum
}

function countWords(text: string): WordCounts {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(WORD) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** What follows the host, up to a question mark or a hash. */
function pathOf(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(SCHEME, '')
    .replace(AUTHORITY, '')
}
