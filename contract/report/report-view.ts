export const REPORT_VIEWS = [
  { code: 'who_wins', th: 'ใครชนะ' },
  { code: 'contract_ends', th: 'สัญญาใกล้หมด' },
] as const
export type ReportView = (typeof REPORT_VIEWS)[number]['code']

/** Company rankings by `rank`. Companies with too few discounts are unranked and listed last for `discount`. */
export const WIN_RANKS = [
  { code: 'value', th: 'มูลค่า' },
  { code: 'wins', th: 'จำนวนงาน' },
  { code: 'discount', th: 'ส่วนลด' },
] as const
export type WinRank = (typeof WIN_RANKS)[number]['code']
