/**
 * Dates as text, in the forms of ISO 8601 that people write. Without an offset the time is UTC, whatever zone the
 * machine is in: the same text is the same moment everywhere.
 */

/** Each part but the first with what is before it. */
const DAY = /(?<year>[+-]\d{6}|\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:[T ]TIME)?)?)?/.source
const TIME = /(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?/.source
const OFFSET = /(?<offset>Z|[+-]\d\d(?::?\d\d)?)?/.source
const FORM = new RegExp(`^${DAY.replace('TIME', TIME + OFFSET)}$`)

/**
 * The moment in milliseconds since 1970; undefined for what is no such text, or a day or time that does not exist. What
 * is left out is the beginning: '2026' is the first moment of the year.
 */
export function isoTimeMs(text: string): number | undefined {
  const {
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    offset = 'Z',
  } = FORM.exec(text)?.groups ?? {}
  if (year === undefined) return undefined
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  const zone = offset === 'Z' ? 'Z' : offset.length === 3 ? `${offset}:00` : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${zone}`)
  if (Number.isNaN(timeMs)) return undefined
  // Date.parse takes the 31st of June for the 1st of July.
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  return Number(day) <= lastDay ? timeMs : undefined
}
