/**
 * Reads dates as sites publish them: W3C date and time formats (a profile of ISO 8601) in sitemaps and Atom, and RFC
 * 822 dates in RSS and HTTP.
 *
 * An incomplete date means its earliest moment: the year 2026 is its first millisecond, and a day without a zone begins
 * in UTC. So it never claims that a page changed later than it did. A date that is no single moment, such as a clock
 * time without a zone, is refused.
 */
import { MINUTE_MS } from '../../../base/time.js'

/** Why a date could not be read. */
export type DateFault = 'no date' | 'date not understood' | 'time without a zone' | 'date before 1970'

/** No date is longer, whatever its fractions and zone. */
const MAX_UNITS = 64

const CLOCK = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?`
const OFFSET = String.raw`[+-]\d{2}:?\d{2}`
/**
 * Year, month, day, hour, minute, second, fraction, zone. XML Schema, by which sitemaps are defined, gives days a zone,
 * too.
 */
const W3C = new RegExp(String.raw`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T${CLOCK})?(Z|${OFFSET})?)?)?$`, 'i')
/** Weekday, day, month, year, hour, minute, second, zone. */
const RFC_822 =
  /^(?:([a-z]+),\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4}|\d{2})\s+(\d{2}):(\d{2})(?::(\d{2}))?(?:\s+([a-z]+|[+-]\d{4}))?$/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/**
 * RFC 822, in hours. Its letters for zones are left out: the standard had them wrong, so that nobody knows what is
 * meant.
 */
const ZONES: Readonly<Record<string, number>> = {
  ...{ ut: 0, utc: 0, gmt: 0, z: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
}
/** No zone on Earth is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60

/** In milliseconds since 1970. */
export function readDate(text: string | undefined): number | DateFault {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return 'no date'
  if (trimmed.length > MAX_UNITS) return 'date not understood'
  const w3c = W3C.exec(trimmed)
  if (w3c !== null) return readW3c(w3c)
  const rfc822 = RFC_822.exec(trimmed)
  return rfc822 === null ? 'date not understood' : readRfc822(rfc822)
}

function readW3c([, year, month = '01', day = '01', hour, minute, second, fraction, zone]: RegExpExecArray) {
  if (hour !== undefined && zone === undefined) return 'time without a zone'
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  return momentOf(date, {
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    // Truncated rather than rounded: the earliest moment.
    ms: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    offsetMinutes: zone === undefined || zone === 'Z' || zone === 'z' ? 0 : offsetMinutes(zone),
  })
}

function readRfc822([, weekday, day, month = '', years = '', hour, minute, second, zone]: RegExpExecArray) {
  if (zone === undefined) return 'time without a zone'
  const offset = /^[+-]/.test(zone) ? offsetMinutes(zone) : 60 * (ZONES[zone.toLowerCase()] ?? Number.NaN)
  // RFC 2822: two digits are a year from 1950 to 2049.
  const year = Number(years) + (years.length === 4 ? 0 : Number(years) < 50 ? 2000 : 1900)
  const date = { year, month: MONTHS.indexOf(month.toLowerCase()) + 1, day: Number(day) }
  // The weekday or the date is wrong, and it is unknown which.
  if (weekday !== undefined && !isWeekday(weekday, date)) return 'date not understood'
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)]
  return momentOf(date, { hour: hours, minute: minutes, second: seconds, ms: 0, offsetMinutes: offset })
}

interface Day {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
  /** East of UTC; NaN for what is no zone. */
  readonly offsetMinutes: number
}

function momentOf(date: Day, { hour, minute, second, ms, offsetMinutes }: Clock): number | DateFault {
  const midnight = midnightOf(date)
  const isClock = hour < 24 && minute < 60 && second < 60 && Math.abs(offsetMinutes) <= MAX_OFFSET_MINUTES
  if (midnight === undefined || !isClock) return 'date not understood'
  const moment = midnight + (hour * 60 + minute - offsetMinutes) * MINUTE_MS + second * 1000 + ms
  return moment < 0 ? 'date before 1970' : moment
}

/** In UTC; undefined for a day that no calendar has. */
function midnightOf({ year, month, day }: Day): number | undefined {
  // Date.UTC would take the years 0 to 99 for those of the 20th century.
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function isWeekday(name: string, date: Day): boolean {
  const midnight = midnightOf(date)
  const [wanted, given] = [WEEKDAYS[new Date(midnight ?? Number.NaN).getUTCDay()], name.toLowerCase()]
  return wanted !== undefined && (given === wanted || given === wanted.slice(0, 3))
}

/** The minutes east of UTC of a zone such as '+01:30' or '+0130'. */
function offsetMinutes(zone: string): number {
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  const offset = minutes < 60 ? hours * 60 + minutes : Number.NaN
  return zone.startsWith('-') ? -offset : offset
}
