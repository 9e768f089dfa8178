import type { BudgetScope, BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withHits } from './budget-item-queries.ts'
import type { CubeRow } from './budget-summary-queries.ts'
import {
  includingWords,
  loadCube,
  loadDiscount,
  loadMonths,
  loadNames,
  loadWords,
  type WordRow,
} from './budget-summary-queries.ts'
import type { BudgetTexts } from './budget-texts.ts'
import { type ItemScope, levelBelow, STATE_CODES, stateNumbers } from './filter-sql.ts'

/** Rows of a breakdown; the remainder is summed into one more row. */
export const MOST_ROWS = 100

export type SummaryScope = {
  readonly organisationId: number
  readonly year: number
  readonly years: readonly number[]
  readonly texts: BudgetTexts | undefined
}

type Summed = Pick<CubeRow, 'n' | 'known' | 'satang'>

/** Sum in baht: null when every value is unknown, 0 for no rows. */
function bahtOf(rows: readonly Summed[]): number | null {
  const known = rows.reduce((sum, row) => sum + row.known, 0)
  if (known === 0) return rows.length === 0 ? 0 : null
  return rows.reduce((sum, row) => sum + (row.satang ?? 0), 0) / 100
}
const countOf = (rows: readonly Summed[]) => rows.reduce((sum, row) => sum + row.n, 0)
const countAndBaht = (rows: readonly Summed[]) => ({ n: countOf(rows), amount: bahtOf(rows) })

function grouped<R, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, R[]> {
  const groups = new Map<K, R[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = groups.get(key)
    if (known) known.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** `scope`: what the figures are based on, except `n`. */
export async function budgetSummary(
  db: Db,
  search: BudgetSearch,
  { organisationId, year, years, texts }: SummaryScope,
  scope: Omit<BudgetScope, 'n'>,
): Promise<BudgetSummary> {
  const level = levelBelow(search)
  const before = years.includes(year - 1) ? year - 1 : undefined
  const named = before === undefined ? [year] : [year, before]
  const all = await withHits(db, search, { organisationId, years: [...new Set([...years, year])] }, texts)
  const [cube, words, listed, discount, months] = await Promise.all([
    loadCube(db, search, { ...all, years }, { level, named }),
    loadWords(db, search, { ...all, years: named }),
    includingWords(db, organisationId),
    loadDiscount(db, search, { ...all, years: [year] }),
    monthsOf(db, search, { ...all, years: years.filter((of) => of < year) }),
  ])
  const wanted = search.state ? new Set(stateNumbers(search.state)) : undefined
  const rows = wanted ? cube.filter(({ state }) => wanted.has(state)) : cube
  const ofYear = (of: number | undefined) => rows.filter(({ fiscal_year }) => fiscal_year === of)
  const [now, then] = [ofYear(year), ofYear(before)]
  const broken = await breakdownOf(db, level, now, before === undefined ? undefined : then)
  return {
    scope: { ...scope, n: countOf(now) },
    amount: bahtOf(now),
    last_year: before === undefined ? null : { fiscal_year: before, ...countAndBaht(then) },
    funnel: {
      budget: countAndBaht(now),
      draft: countAndBaht(now.filter(({ state }) => state >= 2)),
      invited: countAndBaht(now.filter(({ state }) => state >= 3)),
      awarded: countAndBaht(now.filter(({ state }) => state === 4)),
      cancelled: countAndBaht(now.filter(({ state }) => state === 1)),
    },
    discount,
    level,
    ...broken,
    by_category: await byCategory(db, rows, years),
    months,
    states: Object.fromEntries(
      STATE_CODES.map((code, state) => [
        code,
        countOf(cube.filter((row) => row.fiscal_year === year && row.state === state)),
      ]),
    ),
    words: wordsOf(listed, words, year, before),
  }
}

async function breakdownOf(
  db: Db,
  level: BudgetSummary['level'],
  now: readonly CubeRow[],
  then: readonly CubeRow[] | undefined,
): Promise<Pick<BudgetSummary, 'breakdown' | 'others'>> {
  const lastYear = grouped(then ?? [], ({ key }) => key)
  const groups = [...grouped(now, ({ key }) => key)].map(([key, rows]) => ({ key, rows, ...countAndBaht(rows) }))
  groups.sort((a, b) => (b.amount ?? -1) - (a.amount ?? -1) || b.n - a.n || (String(a.key) < String(b.key) ? -1 : 1))
  const shown = groups.slice(0, MOST_ROWS)
  const rest = groups.slice(MOST_ROWS)
  const names =
    level === 'item'
      ? undefined
      : await loadNames(
          db,
          shown.map(({ key }) => key as number),
        )
  return {
    breakdown: shown.map(({ key, rows, n, amount }) => ({
      name: names?.get(key as number) ?? String(key),
      n,
      amount,
      last_year_amount: then ? bahtOf(lastYear.get(key) ?? []) : null,
      announced: countOf(rows.filter(({ state }) => state >= 2)),
      awarded: countOf(rows.filter(({ state }) => state === 4)),
    })),
    others: rest.length === 0 ? null : { rows: rest.length, ...countAndBaht(rest.flatMap(({ rows }) => rows)) },
  }
}

async function byCategory(
  db: Db,
  rows: readonly CubeRow[],
  years: readonly number[],
): Promise<BudgetSummary['by_category']> {
  const groups = [...grouped(rows, ({ category }) => category)]
  const names = await loadNames(
    db,
    groups.map(([category]) => category),
  )
  return groups
    .map(([category, own]) => ({
      category: names.get(category) ?? '',
      years: years
        .toSorted((a, b) => a - b)
        .map((fiscal_year) => ({
          fiscal_year,
          amount: bahtOf(own.filter((row) => row.fiscal_year === fiscal_year)),
        })),
      total: bahtOf(own) ?? 0,
    }))
    .sort((a, b) => b.total - a.total || (a.category < b.category ? -1 : 1))
    .map(({ category, years: own }) => ({ category, years: own }))
}

async function monthsOf(db: Db, search: BudgetSearch, scope: ItemScope): Promise<BudgetSummary['months']> {
  const counts = new Map((await loadMonths(db, search, scope)).map(({ month, n }) => [month, n]))
  return Array.from({ length: 12 }, (_, index) => ({ month: index + 1, n: counts.get(index + 1) ?? 0 }))
}

function wordsOf(
  listed: readonly string[],
  rows: readonly WordRow[],
  year: number,
  before: number | undefined,
): BudgetSummary['words'] {
  const byWord = grouped(rows, ({ word }) => word)
  return listed.map((word) => {
    const of = (wanted: number | undefined) =>
      (byWord.get(word) ?? []).filter(({ fiscal_year }) => fiscal_year === wanted)
    const last = of(before)
    return {
      word,
      ...countAndBaht(of(year)),
      last_year_n: before === undefined ? null : countOf(last),
      last_year_amount: before === undefined ? null : bahtOf(last),
    }
  })
}
