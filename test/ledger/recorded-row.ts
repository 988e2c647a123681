/** A row of the ledger and the bytes that it is packed into: what catalogs hold that were written before. */
import type { LedgerRow } from '../../src/ledger/rows.js'

const PROFILE = [
  // When the base version was fetched.
  '000400384d257942',
  // Its smallest shingle hashes.
  '67452301 ce8a4602 35d06903 9c158d04 035bb005 6aa0d306 d1e5f607 382b1a09',
  // Seconds to each of ten observations, and room for two more.
  '0000e146 00c0a847 00c02848 00e04449 00207d49 00349e49 0008e849 001c094a 00f61f4a 0092384a 00000000 00000000',
  // The divergence of each: 1 is the last of the 23 that there can be, 1/8 the second.
  '16 16 00 00 01 00 00 01 16 01 00 00',
  // Refreshes that made room before each.
  '00 00 00 03 00 00 02 00 00 00 00 00',
  // The curve before: 0.5 changes a day, of a quarter of the page, in 3 items.
  '0000003f 0000803e 03',
  // Live, ten observations.
  '01 0a',
]

const VERSIONS = [
  // Two of four places are taken.
  '02',
  // When the versions were fetched.
  '000400384d257942 0000402191307942 0000000000000000 0000000000000000',
  // The smallest shingle hashes of each.
  '67452301 ce8a4602 35d06903 9c158d04 035bb005 6aa0d306 d1e5f607 382b1a09',
  '67452301 ce8a4602 35d06903 9c158d04 035bb005 6aa0d306 ffffffff ffffffff',
  '00'.repeat(64),
]

export function bytesOf(...hex: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(hex.join('').replaceAll(' ', ''), 'hex'))
}

export const ROW: LedgerRow = {
  doc: 7,
  isPresent: true,
  lastOutcome: 'error',
  errors: 2,
  refreshes: 14,
  changes: 9,
  rated: 14,
  createdMs: 1728000000000.25,
  refreshedMs: 1731024000000,
  lastAttemptMs: 1731024002000,
  sumDeltaQuality: 11.375,
  sumIntervalMs: 3023999999.75,
  sumRate: 6.274635391268285e-8,
  unmeasured: 1,
  decayedRate: 5.2390902283150353e-8,
  decayedWeight: 11.89171314239502,
  stake: 2.5,
  site: 3,
  signals: 2,
  signalKinds: 10,
  signalMs: 1731024003000,
  changeBits: 10863,
  cluster: 5,
  recent: [
    { intervalMs: 403200000, deltaQuality: 0.699999988079071 },
    { intervalMs: 374400000, deltaQuality: 3 },
    { intervalMs: 345600000, deltaQuality: 2 },
    { intervalMs: 316800000, deltaQuality: 1 },
    { intervalMs: 288000000, deltaQuality: 0 },
    { intervalMs: 259200000, deltaQuality: 0.30000001192092896 },
  ],
  profile: bytesOf(...PROFILE),
  versions: bytesOf(...VERSIONS),
}

export const PACKED = {
  /** Float64: the document, then the numbers. */
  numbers: bytesOf(
    ...['0000000000001c40', '000000000000f03f', '0000000000001440', '0000000000000040', '0000000000002c40'],
    ...['0000000000002240', '0000000000002c40', '000400384d257942', '0000402191307942', '0000bd2191307942'],
    ...['0000000000c02640', '0000f87fd287e641', 'a29a1988e5d7703e', '000000000000f03f', '000000008d206c3e'],
    ...['000000a08ec82740', '0000000000000440', '0000000000000840', '0000000000000040', '0000000000002440'],
    ...['0080fb2191307942', '000000008037c540', '0000000000001440'],
  ),
  /** Float32: six intervals in seconds and six gains, as a ring of which places 0 and 1 were written last. */
  recent: bytesOf(
    '00d0b648 00e0c448 00207d48 00a08c48 00b09a48 00c0a848',
    '00004040 3333333f 9a99993e 00000000 0000803f 00000040',
  ),
  profile: ROW.profile,
  versions: ROW.versions,
}
