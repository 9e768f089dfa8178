export type LedgerAddress = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const LEDGER_DAYS = [7, 30, 'all'] as const

export function ledgerDaysLabel(days: LedgerAddress['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}
