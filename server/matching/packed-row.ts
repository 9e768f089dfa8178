/**
 * This module decodes the concatenated rows of the facet query: `project_filters.packed` (0057_narrow_matches.sql) plus
 * a suffix that the query appends. A row has `NUMBERS_PER_PACKED_FACET_ROW` big-endian 16-bit numbers. A test checks
 * the layout against the database.
 */
export const NUMBERS_PER_PACKED_FACET_ROW = 14

export const PACKED_FACET_ROW_OFFSETS = {
  status: 0,
  movement: 1,
  criteria: 2,
  method: 3,
  method_type: 4,
  /** SME << 14 | project province << 7 | department province; 0 means unknown. */
  provinces: 5,
  /** Bins of budget, estimate and winning price, five bits each; 31 means unknown. */
  bins: 6,
  draft_published_date: 7,
  draft_discussion_end_date: 8,
  bidding_invite_date: 9,
  submission_end_date: 10,
  winner_announce_date: 11,
  /**
   * 32 bits in two numbers, appended by the query: change number (1 new, 2 updated, 3 no change), from
   * `PACKED_ELIGIBILITY_SHIFT` the index of the verdict in `ELIGIBILITY_VERDICTS` and, from
   * `FAILED_FILTER_CONDITIONS_MASK_SHIFT`, the failure mask.
   */
  maskHigh: 12,
  maskLow: 13,
} as const

/** Offsets of the bins of amounts within a number; columns in memory use the same. */
export const MONEY_BIN_SHIFTS = { budget: 0, estimate_budget: 5, winner_budget: 10 } as const
export const MONEY_BIN_MASK = 31
export type CountedMoneyFact = keyof typeof MONEY_BIN_SHIFTS
/** Bits of flags and offsets of provinces in `provinces`; the columns in memory pack provinces alike. */
export const FLAG_SHIFTS = { is_sme: 14 } as const
export type CountedFlag = keyof typeof FLAG_SHIFTS
export const PROVINCE_SHIFTS = { project_province: 7, dept_province: 0 } as const
export const PROVINCE_CODES = 128

export type CountedDayFact = Extract<keyof typeof PACKED_FACET_ROW_OFFSETS, `${string}_date`>

export const PACKED_ELIGIBILITY_SHIFT = 2
export const FAILED_FILTER_CONDITIONS_MASK_SHIFT = 4
export const UNKNOWN_PACKED_DAY = -32_768
export function unpackFacetRowNumbers(bytes: Uint8Array): Int16Array {
  // Copy the bytes, because they may be unaligned and swapping must not modify the driver's buffer.
  const copy = Buffer.from(bytes)
  const aligned = new Uint8Array(copy.length)
  aligned.set(copy)
  Buffer.from(aligned.buffer).swap16()
  return new Int16Array(aligned.buffer)
}
