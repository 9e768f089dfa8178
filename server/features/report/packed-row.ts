/**
 * Reads the rows that `project_matches.packed` (0001_foundation.sql) and the facet query put one behind the other:
 * big-endian 16-bit numbers, `ROW_BYTES` bytes a row.
 */
export const ROW_BYTES = 30

/** Byte offsets within a row. */
export const AT = {
  status: 0,
  movement: 2,
  criteria: 4,
  method: 6,
  methodType: 8,
  /** Project's province << 7 | department's; 0 = unknown. */
  provinces: 10,
  /** Bins of budget, estimate and winning price in four bits each (15 = unknown), then SME and archived. */
  bins: 12,
  draftPublished: 14,
  draftDiscussionEnd: 16,
  biddingInvite: 18,
  submissionEnd: 20,
  winnerAnnounce: 22,
  /** Appended by the query: 1 new, 2 updated, 3 no change. */
  change: 24,
  /** Appended by the query, 32 bits: the failure mask, at most one bit set. */
  mask: 26,
} as const

export const UNKNOWN_BIN = 15
export const UNKNOWN_DAY = -32_768
const EPOCH = Date.UTC(2000, 0, 1)

/** Days since 2000-01-01, as dates are packed. */
export function packedDay(isoDate: string): number {
  return Math.round((Date.parse(`${isoDate}T00:00:00Z`) - EPOCH) / 86_400_000)
}
