import { bangkokToday } from './thai/thai-date.ts'

/**
 * `company-20261121.xlsx` for `company-`: what the server and the browser call a file made at `now`. The day is Gregorian and in Bangkok,
 * because files sort by it (C19). `stem` is ASCII, because the header that carries the name is (R34).
 */
export function datedFileName(stem: string, now: Date, ending = 'xlsx'): string {
  return `${stem}${bangkokToday(now).replaceAll('-', '')}.${ending}`
}
