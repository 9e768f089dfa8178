import { REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import type { CompanyDetail, CompanyRef } from '#contract/market/company.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { getFiscalYear } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { toCompanyRef } from './company-input.ts'
import {
  type CompanyFactScope,
  loadCompanyFiguresTime,
  roundNullableShare,
  toBidFigures,
  toDiscountFigures,
  toStatisticsScope,
} from './company-scope.ts'
import { getDiscountBinStart, LAST_DISCOUNT_BIN } from './figure-row-filter.ts'
import { loadAgencySpending, loadCompetitors, type StoredCompetitor } from './queries/competitors.ts'
import {
  loadCompanyPreviousPeriod,
  loadStoredCompanyDetail,
  type StoredCompanyDepartment,
  type StoredCompanyDetail,
  type StoredCompanyPreviousPeriod,
} from './queries/stored-detail.ts'

type DetailParts = {
  readonly company: CompanyRef
  readonly search: StatisticsScopeSearch
  readonly detail: StoredCompanyDetail
  readonly spending: ReadonlyMap<string, number>
  readonly previous:
    | { readonly year_from: number; readonly year_to: number; readonly figures: StoredCompanyPreviousPeriod }
    | undefined
  readonly competitors: readonly StoredCompetitor[]
  readonly computedAt: string | null
  readonly thisYear: number
}

type Slice = { readonly wins: number; readonly value: number | null }

const sliceOf = ({ wins, value }: Slice) => ({ wins, value: satangToBaht(value) })

function toCompanyDetail(parts: DetailParts): CompanyDetail {
  const { company, search, detail, computedAt } = parts
  const { figures } = detail
  const departments = detail.by_department.map((row) => toDepartment(row, parts.spending))
  return {
    company: toCompanyRef(company),
    aliases: [...detail.aliases],
    scope: toStatisticsScope(search, detail.scope, computedAt),
    years: [...detail.years],
    figures: {
      ...sliceOf(figures),
      contracts: figures.contracts,
      bids: toBidFigures(detail.scope),
      discount: toDiscountFigures(figures),
      median_contract: satangToBaht(figures.median_contract),
      active_contracts: figures.active_contracts,
      active_value: satangToBaht(figures.active_value),
      terminated: figures.terminated,
      first_win_date: figures.first_win,
      last_win_date: figures.last_win,
      top_department: topDepartment(departments[0], parts.spending),
    },
    previous: toPreviousPeriod(parts.previous),
    by_year: byYear(detail.by_year, parts.thisYear),
    by_department: departments,
    by_method: detail.by_method.map((row) => ({ method: row.method, ...sliceOf(row) })),
    by_type: detail.by_type.map((row) => ({ method_type: row.method_type, ...sliceOf(row) })),
    by_criteria: detail.by_criteria.map((row) => ({
      criteria: row.criteria,
      ...sliceOf(row),
      weighted_discount: roundNullableShare(row.discount_weighted),
      n_discount: row.discount_n,
    })),
    by_province: detail.by_province.map((row) => ({ province: getProvinceName(row.province), ...sliceOf(row) })),
    discount_bins: fillBins(detail.discount_bins),
    discount_by_size: REFERENCE_PRICE_BANDS.map((band, i) => ({
      ...band,
      discount: toDiscountFigures(detail.discount_by_size[i]!),
    })),
    competitors: parts.competitors.map((competitor) => ({
      company: toCompanyRef(competitor),
      met: competitor.met,
      we_won: competitor.we_won,
      they_won: competitor.they_won,
      others_won: competitor.others_won,
      mean_gap: roundNullableShare(competitor.mean_gap),
      n_gap: competitor.n_gap,
      last_met_date: competitor.last_met,
    })),
  }
}

type Department = CompanyDetail['by_department'][number]

function toDepartment(row: StoredCompanyDepartment, spending: ReadonlyMap<string, number>): Department {
  const departmentSpending = row.department === null ? undefined : spending.get(row.department)
  return {
    department: row.department,
    departments: row.departments,
    ...sliceOf(row),
    share: row.value === null || !departmentSpending ? null : roundNullableShare(row.value / departmentSpending),
    first_win_date: row.first_win,
    last_win_date: row.last_win,
  }
}

function topDepartment(
  top: Department | undefined,
  spending: ReadonlyMap<string, number>,
): CompanyDetail['figures']['top_department'] {
  if (!top || top.department === null) return null
  const { department, value, share } = top
  return { department, value, share, spent: satangToBaht(spending.get(department) ?? null) }
}

function toPreviousPeriod(previous: DetailParts['previous']): CompanyDetail['previous'] {
  if (!previous) return null
  const { year_from, year_to, figures } = previous
  return {
    year_from,
    year_to,
    ...sliceOf(figures),
    weighted_discount: toDiscountFigures(figures).weighted,
    win_rate: toBidFigures(figures)?.win_rate ?? null,
  }
}

/** Lists every year, including those without a win, so that gaps are visible. Year 0 means unknown. */
function byYear(stored: StoredCompanyDetail['by_year'], thisYear: number): CompanyDetail['by_year'] {
  const rows = new Map(stored.map((row) => [row.year, row]))
  const knownYears = stored.flatMap(({ year }) => year ?? [])
  const unknown = rows.get(null)
  const firstYear = knownYears[0]
  const lastYear = knownYears.at(-1)
  const years =
    firstYear === undefined ? [] : Array.from({ length: lastYear! - firstYear + 1 }, (_, i) => firstYear + i)
  return [
    ...(unknown ? [{ year: 0, ...sliceOf(unknown), is_open: false }] : []),
    ...years.map((year) => ({
      year,
      ...sliceOf(rows.get(year) ?? { wins: 0, value: null }),
      is_open: year >= thisYear,
    })),
  ]
}

function fillBins(stored: StoredCompanyDetail['discount_bins']): CompanyDetail['discount_bins'] {
  const counts = new Map(stored.map(({ bin, count }) => [bin, count]))
  return Array.from({ length: LAST_DISCOUNT_BIN + 1 }, (_, bin) => bin)
    .filter((bin) => stored.length > 0 && bin >= stored[0]!.bin && bin <= stored.at(-1)!.bin)
    .map((bin) => ({ from: getDiscountBinStart(bin), count: counts.get(bin) ?? 0 }))
}

export async function loadCompanyDetail(
  db: Db,
  company: CompanyRef,
  scope: CompanyFactScope,
  today: string,
): Promise<CompanyDetail> {
  const { search } = scope
  const detail = await loadStoredCompanyDetail(db, company.id, scope, today)
  const previousYears = yearsBefore(scope, detail)
  const hasMeetings = detail.scope.coverage_full + detail.scope.coverage_names > 0
  const [computedAt, spending, competitors, previous] = await Promise.all([
    loadCompanyFiguresTime(db),
    loadAgencySpending(
      db,
      detail.by_department.flatMap(({ department }) => department ?? []),
      scope,
    ),
    hasMeetings ? loadCompetitors(db, company.id, scope) : [],
    previousYears && loadCompanyPreviousPeriod(db, company.id, { ...scope, search: { ...search, ...previousYears } }),
  ])
  return toCompanyDetail({
    company,
    search,
    detail,
    spending,
    previous: previousYears && previous && { ...previousYears, figures: previous },
    competitors,
    computedAt,
    thisYear: getFiscalYear(today),
  })
}

type Years = { readonly year_from: number; readonly year_to: number }

/**
 * Returns the period of equal length before the scope; undefined when the scope has no first year or the data does not
 * go back that far.
 */
function yearsBefore(
  { search }: CompanyFactScope,
  { earliest_year, latest_year }: StoredCompanyDetail,
): Years | undefined {
  const from = search.year_from
  const to = search.year_to ?? Math.max(from ?? 0, latest_year ?? 0)
  if (from === undefined || earliest_year === null) return undefined
  const length = to - from + 1
  return from - length < earliest_year ? undefined : { year_from: from - length, year_to: from - 1 }
}
