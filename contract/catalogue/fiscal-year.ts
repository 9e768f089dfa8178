import { getFiscalYearRange } from '../thai/thai-date.ts'

/**
 * Parses `allow_access_budget_year` (C20): comma-separated fiscal years, Buddhist if above 2400, otherwise Christian.
 * Returns Buddhist years, newest first; skips entries that are not years.
 */
export function parseAllowedBudgetYears(text: string): number[] {
  const years = text
    .split(',')
    .map((year) => year.trim())
    .filter((year) => /^\d{4}$/.test(year))
    .map((year) => (Number(year) > 2400 ? Number(year) : Number(year) + 543))
  return [...new Set(years)].toSorted((a, b) => b - a)
}

/**
 * Returns the fiscal years that the subscription allows, including those that only partly overlap the date limits (ISO,
 * null: no limit).
 */
export function getAccessibleBudgetYears(
  allowed: string,
  { start, end }: { readonly start: string | null; readonly end: string | null },
): number[] {
  return parseAllowedBudgetYears(allowed).filter((year) => {
    const { from, to } = getFiscalYearRange(year)
    return (start === null || to >= start) && (end === null || from <= end)
  })
}
