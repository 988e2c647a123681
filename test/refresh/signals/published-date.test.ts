import { describe, expect, it } from 'vitest'
import { readDate } from '../../../src/refresh/signals/readers/published-date.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const NOVEMBER = Date.UTC(2026, 10, 16)

describe('a published date', () => {
  it.each([
    ['2026', Date.UTC(2026, 0, 1)],
    ['2026-11', Date.UTC(2026, 10, 1)],
    ['2026-11-16', NOVEMBER],
    ['2026-11-16Z', NOVEMBER],
    ['2026-11-16+01:00', NOVEMBER - 3_600_000],
    [' 2026-11-16T09:30Z\n', NOVEMBER + 9.5 * 3_600_000],
    ['2026-11-16T09:30:15Z', NOVEMBER + 9.5 * 3_600_000 + 15_000],
    ['2026-11-16T09:30:15.4569Z', NOVEMBER + 9.5 * 3_600_000 + 15_456],
    ['2026-11-16T09:30:15.5+05:30', NOVEMBER + 4 * 3_600_000 + 15_500],
    ['2026-11-16t09:30:15-0800', NOVEMBER + 17.5 * 3_600_000 + 15_000],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1970-01-01', 0],
    ['1969-12-31T23:00-02:00', 3_600_000],
    ['Mon, 16 Nov 2026 09:30:15 GMT', NOVEMBER + 9.5 * 3_600_000 + 15_000],
    ['Monday, 16 Nov 26 09:30 UT', NOVEMBER + 9.5 * 3_600_000],
    ['16 nov 2026 09:30 +0130', NOVEMBER + 8 * 3_600_000],
    ['6 Nov 1994 08:49:37 EST', Date.UTC(1994, 10, 6, 13, 49, 37)],
    ['06 Nov 94 08:49:37 PDT', Date.UTC(1994, 10, 6, 15, 49, 37)],
  ])('%s is a moment', (text, moment) => {
    expect(readDate(text)).toBe(moment)
  })

  it.each<[string | undefined, string]>([
    [undefined, 'no date'],
    ['', 'no date'],
    [' \n', 'no date'],
    ['2026-11-16T09:30', 'time without a zone'],
    ['2026-11-16T09:30:15.5', 'time without a zone'],
    ['Mon, 16 Nov 2026 09:30:15', 'time without a zone'],
    ['1969-12-31', 'date before 1970'],
    ['0001-01-01T00:00:00Z', 'date before 1970'],
    ['0070', 'date before 1970'],
    ['1 Jan 1960 00:00 GMT', 'date before 1970'],
    ...[
      ...[
        'yesterday',
        '16.11.2026',
        '11/16/2026',
        '2026/11/16',
        '20261116',
        '1700000000',
        '2026-11-16 09:30Z',
        '+2026',
      ],
      ...['2026-13', '2026-00', '2026-11-31', '2025-02-29', '2026-11-00', '2026-11-16T24:00Z', '2026-11-16T09:60Z'],
      ...['2026-11-16T09Z', '2026-11-16T09:30:60Z', '2026-11-16T09:30+15:00', '2026-11-16T09:30+01:60', '2026-1-6'],
      ...['2026-11-16T09:30:15,5Z', `2026-11-16T09:30:15.${'1'.repeat(60)}Z`, '2026-11-16T', 'Z'],
      // A Monday.
      ...[
        'Tue, 16 Nov 2026 09:30:15 GMT',
        'Lun, 16 Nov 2026 09:30 GMT',
        '31 Nov 2026 09:30 GMT',
        '16 Nom 2026 09:30 GMT',
      ],
      ...[
        '16 Nov 2026 09:30 A',
        '16 Nov 2026 09:30 CET',
        '16 Nov 2026 09:30 +2500',
        '16 Nov 2026 GMT',
        '16 Nov 126 09:30 GMT',
      ],
    ].map((text): [string, string] => [text, 'date not understood']),
  ])('%s is none', (text, fault) => {
    expect(readDate(text)).toBe(fault)
  })

  it('is what a reading letter by letter makes of it', () => {
    withSeed('published dates', (seed) => {
      const random = new SeededRandom(seed)
      let moments = 0
      for (let nth = 0; nth < 20_000; nth++) {
        const text = random.chance(0.7) ? madeDate(random) : bent(madeDate(random), random)
        const read = readDate(text)
        expect([text, read]).toEqual([text, readSlowly(text)])
        if (typeof read === 'number') moments++
      }
      expect(moments).toBeGreaterThan(6000)
    })
  })
})

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const NAMED_ZONES: Record<string, number> = { GMT: 0, UT: 0, Z: 0, EST: -300, EDT: -240, PST: -480, MDT: -360 }

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function madeDate(random: SeededRandom): string {
  const [year, month, day] = [random.between(1968, 2100), random.between(1, 12), random.between(1, 31)]
  const clock = `${two(random.int(25))}:${two(random.int(61))}`
  const seconds = random.chance(0.6) ? `:${two(random.int(61))}` : ''
  if (random.chance(0.5)) {
    const zone = random.pick([...Object.keys(NAMED_ZONES), '+0000', '-0330', '+1400', '+1430', '+0199'])
    const weekday = random.chance(0.5) ? `${random.pick(DAYS)}, ` : ''
    return `${weekday}${day} ${MONTHS[month - 1]} ${year} ${clock}${seconds} ${zone}`
  }
  const parts = [`${year}`, `-${two(month)}`, `-${two(day)}`]
  if (random.chance(0.3)) return parts.slice(0, random.between(1, 3)).join('')
  const fraction = seconds === '' || random.chance(0.5) ? '' : `.${random.int(10 ** random.between(1, 6))}`
  const zone = random.pick(['Z', 'z', '+00:00', '-03:30', '+14:00', '+14:01', '+0530', ''])
  return `${parts.join('')}T${clock}${seconds}${fraction}${zone}`
}

function bent(text: string, random: SeededRandom): string {
  const at = random.int(text.length)
  return text.slice(0, at) + random.pick(['', '0', '9', '-', ' ', 'T', ':', '.']) + text.slice(at + random.int(2))
}

/** Takes one part after another off the front; days are counted one by one. */
class Letters {
  rest: string
  constructor(text: string) {
    this.rest = text
  }
  digits(count: number): number {
    const taken = this.rest.slice(0, count)
    if (taken.length < count || [...taken].some((letter) => letter < '0' || letter > '9')) throw new Error('digits')
    this.rest = this.rest.slice(count)
    return Number(taken)
  }
  skip(letter: string): boolean {
    if (!this.rest.toLowerCase().startsWith(letter.toLowerCase())) return false
    this.rest = this.rest.slice(letter.length)
    return true
  }
  require(letter: string): void {
    if (!this.skip(letter)) throw new Error(letter)
  }
  spaces(atLeast: number): void {
    let count = 0
    while (this.skip(' ')) count++
    if (count < atLeast) throw new Error('space')
  }
  isDigit(at = 0): boolean {
    const letter = this.rest[at] ?? ''
    return letter >= '0' && letter <= '9' && letter !== ''
  }
}

function readSlowly(text: string): number | string {
  const trimmed = text.trim()
  if (trimmed === '') return 'no date'
  const letters = new Letters(trimmed)
  try {
    const isW3c = [0, 1, 2, 3].every((at) => letters.isDigit(at)) && ['', '-'].includes(trimmed[4] ?? '')
    return isW3c ? slowW3c(letters) : slowRfc822(letters)
  } catch {
    return 'date not understood'
  }
}

function slowW3c(letters: Letters): number | string {
  const date = [letters.digits(4), 1, 1]
  let [clockMs, zone, hasClock] = [0, undefined as number | undefined, false]
  if (letters.skip('-')) {
    date[1] = letters.digits(2)
    if (letters.skip('-')) {
      date[2] = letters.digits(2)
      if (letters.skip('T')) {
        hasClock = true
        clockMs = slowClock(letters)
      }
      if (letters.rest !== '') zone = slowOffset(letters, true)
    }
  }
  if (letters.rest !== '') throw new Error('rest')
  // The shape is looked at before what it says.
  return hasClock && zone === undefined ? 'time without a zone' : slowMoment(date, clockMs, zone ?? 0)
}

/** NaN for a time that no clock shows. */
function slowClock(letters: Letters, hasFraction = true): number {
  const hour = letters.digits(2)
  letters.require(':')
  const minute = letters.digits(2)
  let [second, ms] = [0, 0]
  if (letters.skip(':')) {
    second = letters.digits(2)
    if (hasFraction && letters.skip('.')) {
      let scale = 100
      do {
        ms += Math.floor(scale) * letters.digits(1)
        scale /= 10
      } while (letters.isDigit())
    }
  }
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN
  return hour * 3_600_000 + minute * 60_000 + second * 1000 + ms
}

function slowOffset(letters: Letters, hasColon: boolean): number {
  if (hasColon && letters.skip('Z')) return 0
  const sign = letters.skip('-') ? -1 : 1
  if (sign === 1) letters.require('+')
  const hours = letters.digits(2)
  if (hasColon) letters.skip(':')
  const minutes = letters.digits(2)
  if (minutes > 59 || hours * 60 + minutes > 840) return Number.NaN
  return sign * (hours * 60 + minutes)
}

function slowMoment([year, month, day]: readonly number[], clockMs: number, zone: number): number | string {
  const days = dayNumber(year!, month!, day!)
  if (days === undefined || Number.isNaN(clockMs + zone)) return 'date not understood'
  const moment = days * 86_400_000 + clockMs - zone * 60_000
  return moment < 0 ? 'date before 1970' : moment
}

function slowRfc822(letters: Letters): number | string {
  const weekday = DAYS.findIndex((name) => letters.skip(name))
  if (weekday !== -1) {
    letters.require(',')
    letters.spaces(0)
  }
  const day = letters.digits(letters.isDigit(1) ? 2 : 1)
  letters.spaces(1)
  const month = MONTHS.findIndex((name) => letters.skip(name)) + 1
  if (month === 0) throw new Error('month')
  letters.spaces(1)
  const hasCentury = letters.isDigit(2)
  const written = letters.digits(hasCentury ? 4 : 2)
  const year = hasCentury ? written : written + (written < 50 ? 2000 : 1900)
  letters.spaces(1)
  const clockMs = slowClock(letters, false)
  if (letters.rest === '') return 'time without a zone'
  letters.spaces(1)
  const named = Object.keys(NAMED_ZONES).find((name) => name === letters.rest)
  const zone = named === undefined ? slowOffset(letters, false) : NAMED_ZONES[named]!
  if (named === undefined && letters.rest !== '') throw new Error('rest')
  const days = dayNumber(year, month, day)
  if (weekday !== -1 && (days === undefined || (((days + 4) % 7) + 7) % 7 !== weekday)) throw new Error('weekday')
  return slowMoment([year, month, day], clockMs, zone)
}

/** Days from 1970, by going there. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  const isLeap = (each: number) => each % 4 === 0 && (each % 100 !== 0 || each % 400 === 0)
  const lengths = (each: number) => [31, isLeap(each) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const length = lengths(year)[month - 1]
  if (length === undefined || day < 1 || day > length) return undefined
  let days = 0
  for (let each = 1970; each < year; each++) days += isLeap(each) ? 366 : 365
  for (let each = year; each < 1970; each++) days -= isLeap(each) ? 366 : 365
  for (let each = 0; each < month - 1; each++) days += lengths(year)[each]!
  return days + day - 1
}
