import type { BudgetScope, BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  BUDGET_STATE_CODES,
  type BudgetItemScope,
  getBudgetBreakdownLevel,
  toBudgetStateNumbers,
} from './budget-filter-sql.ts'
import { addBudgetTextSearchHits } from './budget-item-queries.ts'
import {
  type BudgetItemCountRow,
  type BudgetKeywordTotalRow,
  countBudgetProjectsByMonth,
  loadBudgetDiscount,
  loadBudgetItemCounts,
  loadBudgetKeywordTotals,
  loadBudgetNames,
  loadInclusionKeywords,
} from './budget-summary-queries.ts'
import type { BudgetTextCache } from './budget-text-cache.ts'

const MAX_BUDGET_BREAKDOWN_ROWS = 100

export type BudgetSummaryScope = {
  readonly organisationId: number
  readonly year: number
  readonly years: readonly number[]
  readonly texts: BudgetTextCache | undefined
}

type SummedColumns = Pick<BudgetItemCountRow, 'n' | 'known' | 'satang'>

function bahtOf(rows: readonly SummedColumns[]): number | null {
  const knownCount = rows.reduce((sum, row) => sum + row.known, 0)
  if (knownCount === 0) return rows.length === 0 ? 0 : null
  return rows.reduce((sum, row) => sum + (row.satang ?? 0), 0) / 100
}
const countOf = (rows: readonly SummedColumns[]) => rows.reduce((sum, row) => sum + row.n, 0)
const countAndBaht = (rows: readonly SummedColumns[]) => ({ n: countOf(rows), amount: bahtOf(rows) })

export async function loadBudgetSummary(
  db: Db,
  search: BudgetSearch,
  { organisationId, year, years, texts }: BudgetSummaryScope,
  scope: Omit<BudgetScope, 'n'>,
): Promise<BudgetSummary> {
  const level = getBudgetBreakdownLevel(search)
  const lastYear = years.includes(year - 1) ? year - 1 : undefined
  const comparedYears = lastYear === undefined ? [year] : [year, lastYear]
  const itemScope = await addBudgetTextSearchHits(
    db,
    search,
    { organisationId, years: [...new Set([...years, year])] },
    texts,
  )
  const [cube, words, watchWords, linked, months] = await Promise.all([
    loadBudgetItemCounts(db, search, { ...itemScope, years }, { level, breakdownYears: comparedYears }),
    loadBudgetKeywordTotals(db, search, { ...itemScope, years: comparedYears }),
    loadInclusionKeywords(db, organisationId),
    loadBudgetDiscount(db, search, { ...itemScope, years: [year] }),
    monthsOf(db, search, { ...itemScope, years: years.filter((otherYear) => otherYear < year) }),
  ])
  const states = search.state ? new Set(toBudgetStateNumbers(search.state)) : undefined
  const rows = states ? cube.filter(({ state }) => states.has(state)) : cube
  const ofYear = (wanted: number | undefined) => rows.filter(({ fiscal_year }) => fiscal_year === wanted)
  const [currentRows, lastYearRows] = [ofYear(year), ofYear(lastYear)]
  const { amounts_in_doubt: inDoubt, ...discount } = linked
  return {
    scope: { ...scope, n: countOf(currentRows) },
    amount: bahtOf(currentRows),
    last_year: lastYear === undefined ? null : { fiscal_year: lastYear, ...countAndBaht(lastYearRows) },
    funnel: {
      budget: countAndBaht(currentRows),
      draft: countAndBaht(currentRows.filter(({ state }) => state >= 2)),
      invited: countAndBaht(currentRows.filter(({ state }) => state >= 3)),
      awarded: countAndBaht(currentRows.filter(({ state }) => state === 4)),
      cancelled: countAndBaht(currentRows.filter(({ state }) => state === 1)),
    },
    discount: { ...discount, ...(inDoubt > 0 ? { amounts_in_doubt: inDoubt } : {}) },
    level,
    ...(await breakdownOf(db, level, currentRows, lastYear === undefined ? undefined : lastYearRows)),
    by_category: await byCategory(db, rows, years),
    months,
    states: Object.fromEntries(
      BUDGET_STATE_CODES.map((code, state) => [
        code,
        countOf(cube.filter((row) => row.fiscal_year === year && row.state === state)),
      ]),
    ),
    words: wordsOf(watchWords, words, year, lastYear),
  }
}

async function breakdownOf(
  db: Db,
  level: BudgetSummary['level'],
  currentRows: readonly BudgetItemCountRow[],
  lastYearRows: readonly BudgetItemCountRow[] | undefined,
): Promise<Pick<BudgetSummary, 'breakdown' | 'others'>> {
  const lastYear = Map.groupBy(lastYearRows ?? [], ({ key }) => key)
  const groups = [...Map.groupBy(currentRows, ({ key }) => key)].map(([key, rows]) => ({
    key,
    rows,
    ...countAndBaht(rows),
  }))
  groups.sort((a, b) => (b.amount ?? -1) - (a.amount ?? -1) || b.n - a.n || (String(a.key) < String(b.key) ? -1 : 1))
  const shownGroups = groups.slice(0, MAX_BUDGET_BREAKDOWN_ROWS)
  const otherGroups = groups.slice(MAX_BUDGET_BREAKDOWN_ROWS)
  const names =
    level === 'item'
      ? undefined
      : await loadBudgetNames(
          db,
          shownGroups.map(({ key }) => key as number),
        )
  return {
    breakdown: shownGroups.map(({ key, rows, n, amount }) => ({
      name: names?.get(key as number) ?? String(key),
      n,
      amount,
      last_year_amount: lastYearRows ? bahtOf(lastYear.get(key) ?? []) : null,
      announced: countOf(rows.filter(({ state }) => state >= 2)),
      awarded: countOf(rows.filter(({ state }) => state === 4)),
    })),
    others:
      otherGroups.length === 0
        ? null
        : { rows: otherGroups.length, ...countAndBaht(otherGroups.flatMap(({ rows }) => rows)) },
  }
}

async function byCategory(
  db: Db,
  rows: readonly BudgetItemCountRow[],
  years: readonly number[],
): Promise<BudgetSummary['by_category']> {
  const groups = [...Map.groupBy(rows, ({ category }) => category)]
  const names = await loadBudgetNames(
    db,
    groups.map(([category]) => category),
  )
  return groups
    .map(([category, categoryRows]) => ({
      category: names.get(category) ?? '',
      years: years
        .toSorted((a, b) => a - b)
        .map((fiscal_year) => ({
          fiscal_year,
          amount: bahtOf(categoryRows.filter((row) => row.fiscal_year === fiscal_year)),
        })),
      total: bahtOf(categoryRows) ?? 0,
    }))
    .sort((a, b) => b.total - a.total || (a.category < b.category ? -1 : 1))
    .map(({ category, years: categoryYears }) => ({ category, years: categoryYears }))
}

async function monthsOf(db: Db, search: BudgetSearch, scope: BudgetItemScope): Promise<BudgetSummary['months']> {
  const counts = new Map((await countBudgetProjectsByMonth(db, search, scope)).map(({ month, n }) => [month, n]))
  return Array.from({ length: 12 }, (_, index) => ({ month: index + 1, n: counts.get(index + 1) ?? 0 }))
}

function wordsOf(
  watchWords: readonly string[],
  rows: readonly BudgetKeywordTotalRow[],
  year: number,
  lastYear: number | undefined,
): BudgetSummary['words'] {
  const byWord = Map.groupBy(rows, ({ word }) => word)
  return watchWords.map((word) => {
    const rowsOfYear = (fiscalYear: number | undefined) =>
      (byWord.get(word) ?? []).filter(({ fiscal_year }) => fiscal_year === fiscalYear)
    const lastYearRows = rowsOfYear(lastYear)
    return {
      word,
      ...countAndBaht(rowsOfYear(year)),
      last_year_n: lastYear === undefined ? null : countOf(lastYearRows),
      last_year_amount: lastYear === undefined ? null : bahtOf(lastYearRows),
    }
  })
}
