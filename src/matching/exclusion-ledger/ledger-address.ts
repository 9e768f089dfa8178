/** What of the ledger the address says. */
export type LedgerAddress = {
  readonly days: 7 | 30 | 'all'
  /** Only what this word keeps out. */
  readonly word?: string | undefined
  /** Those let in again, instead of those kept out. */
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const LEDGER_DAYS = [7, 30, 'all'] as const

/** How far back, in a sentence: `ใน 7 วันที่ผ่านมา`. */
export function daysLabel(days: LedgerAddress['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}
