export type LedgerAddress = {
  readonly days: 7 | 30 | 'all'
  /** Only projects hidden by this word. */
  readonly word?: string | undefined
  /** Lists rescued projects instead of hidden ones. */
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const LEDGER_DAYS = [7, 30, 'all'] as const

export function daysLabel(days: LedgerAddress['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}
