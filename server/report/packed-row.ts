/**
 * Reads the rows that `project_filters.packed` (0057_narrow_matches.sql) and the facet query put one behind the other: big-endian
 * 16-bit numbers, `ROW_NUMBERS` of them a row. A test checks the layout against what the database packs.
 */
export const ROW_NUMBERS = 14

/** Place of each number within a row. */
export const AT = {
  status: 0,
  movement: 1,
  criteria: 2,
  method: 3,
  methodType: 4,
  /** SME << 14 | project's province << 7 | department's; 0 = unknown. */
  provinces: 5,
  /** Bins of budget, estimate and winning price in five bits each; 31 = unknown. */
  bins: 6,
  draftPublished: 7,
  draftDiscussionEnd: 8,
  biddingInvite: 9,
  submissionEnd: 10,
  winnerAnnounce: 11,
  /** Appended by the query as 32 bits over two places: the change number (1 new, 2 updated, 3 no change) and, from `MASK_SHIFT` on, the failure mask. */
  maskHigh: 12,
  maskLow: 13,
} as const

export const MASK_SHIFT = 2
export const UNKNOWN_DAY = -32_768
const EPOCH = Date.UTC(2000, 0, 1)

/** Days since 2000-01-01, as dates are packed. */
export function packedDay(isoDate: string): number {
  return Math.round((Date.parse(`${isoDate}T00:00:00Z`) - EPOCH) / 86_400_000)
}

/** The numbers of all rows in this machine's byte order; typed-array access is what makes counting cheap. */
export function unpackNumbers(bytes: Uint8Array): Int16Array {
  // A copy: the bytes may stand at an odd address, and swapping must not touch the driver's buffer.
  const own = Buffer.from(bytes)
  const aligned = new Uint8Array(own.length)
  aligned.set(own)
  Buffer.from(aligned.buffer).swap16()
  return new Int16Array(aligned.buffer)
}
