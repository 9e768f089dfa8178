/** Views of the report's result beside the table, by the value of `view` in its address. */
export const REPORT_VIEWS = [
  { code: 'who_wins', th: 'ใครชนะ' },
  { code: 'contract_ends', th: 'สัญญาใกล้หมด' },
] as const
export type ReportView = (typeof REPORT_VIEWS)[number]['code']

/** Orders of the companies that win, by the value of `rank`. By discount only those with enough known ones have a place; the others stand behind. */
export const WIN_RANKS = [
  { code: 'value', th: 'มูลค่า' },
  { code: 'wins', th: 'จำนวนงาน' },
  { code: 'discount', th: 'ส่วนลด' },
] as const
export type WinRank = (typeof WIN_RANKS)[number]['code']
