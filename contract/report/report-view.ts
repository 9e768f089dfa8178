export const REPORT_VIEWS = [
  { code: 'who_wins', th: 'ใครชนะ' },
  { code: 'contract_ends', th: 'สัญญาใกล้หมด' },
] as const
export type ReportView = (typeof REPORT_VIEWS)[number]['code']

/**
 * Orders of the company ranking, the values of `rank`. For `discount`, companies with too few discounts are unranked
 * and listed last.
 */
export const COMPANY_RANKINGS = [
  { code: 'value', th: 'มูลค่า' },
  { code: 'wins', th: 'จำนวนงาน' },
  { code: 'discount', th: 'ส่วนลด' },
] as const
export type CompanyRankingCode = (typeof COMPANY_RANKINGS)[number]['code']
