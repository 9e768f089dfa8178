import { getBangkokToday } from './thai/thai-date.ts'

/**
 * Returns e.g. `company-20261121.xlsx` for the stem `company-`; used by the server and the browser. The date is
 * Gregorian and in Bangkok time so that files sort by name (C19). `stem` must be ASCII because the HTTP header that
 * carries the name is (R34).
 */
export function buildDatedFileName(stem: string, now: Date, ending = 'xlsx'): string {
  return `${stem}${getBangkokToday(now).replaceAll('-', '')}.${ending}`
}
