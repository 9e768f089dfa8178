import { bangkokToday } from './thai/thai-date.ts'

/**
 * Returns `company-20261121.xlsx` for `company-`, on the server and in the browser. The date is Gregorian Bangkok time
 * so that files sort by it (C19). `stem` must be ASCII because the header with the name is (R34).
 */
export function datedFileName(stem: string, now: Date, ending = 'xlsx'): string {
  return `${stem}${bangkokToday(now).replaceAll('-', '')}.${ending}`
}
