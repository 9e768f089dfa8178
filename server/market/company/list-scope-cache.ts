import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createNewestVersionCache } from '#server/platform/route/newest-version-cache.ts'
import {
  type CompanyFactScope,
  companySliceConditions,
  loadCompanyFiguresTime,
  type StatisticsScopeColumns,
  toStatisticsScope,
} from './company-scope.ts'
import {
  type CompanyProjectSlice,
  countCompanyProjectSlices,
  countCompanyScopeProjects,
} from './queries/count-scope.ts'

export type CompanyListScopeResult = {
  readonly scope: StatisticsScope
  readonly years: readonly number[]
}

/**
 * Caches the scope of company lists. Counts projects by kind once per published load; each scope then sums those
 * slices. Summing over companies would count shared projects twice, and counting a million projects takes a second.
 */
export function createCompanyListScopeCache(db: Db): (factScope: CompanyFactScope) => Promise<CompanyListScopeResult> {
  const sliceCache = createNewestVersionCache<string | null, readonly CompanyProjectSlice[]>()
  return async (factScope) => {
    const computedAt = await loadCompanyFiguresTime(db)
    const allSlices = await sliceCache(computedAt, () => countCompanyProjectSlices(db))
    const totals = companySliceConditions(factScope.search)
      ? sumSlices(allSlices, factScope.search)
      : await countCompanyScopeProjects(db, factScope)
    const years = [
      ...new Set(allSlices.flatMap((slice) => (slice.has_awards && slice.fiscal_year > 0 ? [slice.fiscal_year] : []))),
    ]
    return { scope: toStatisticsScope(factScope.search, totals, computedAt), years: years.sort((a, b) => b - a) }
  }
}

function sumSlices(slices: readonly CompanyProjectSlice[], search: StatisticsScopeSearch): StatisticsScopeColumns {
  const { project_method__in: methods, project_method_type__in: types } = search
  const { year_from: from, year_to: to } = search
  const provinces = search.project_province__in?.map((name) => findProvinceByName(name)?.code)
  const inScope = slices.filter(
    (slice) =>
      (from === undefined || slice.fiscal_year >= from) &&
      (to === undefined || (slice.fiscal_year > 0 && slice.fiscal_year <= to)) &&
      (methods?.includes(slice.method) ?? true) &&
      (types?.includes(slice.method_type) ?? true) &&
      (provinces?.includes(slice.project_province) ?? true),
  )
  const sum = (of: (slice: CompanyProjectSlice) => number) => inScope.reduce((total, slice) => total + of(slice), 0)
  const years = inScope.map((slice) => slice.fiscal_year).filter((year) => year > 0)
  return {
    projects: sum((slice) => slice.projects),
    coverage_full: sum((slice) => slice.coverage_full),
    coverage_names: sum((slice) => slice.coverage_names),
    coverage_winner: sum((slice) => slice.coverage_winner),
    amounts_in_doubt: sum((slice) => slice.amounts_in_doubt),
    year_from: years.length > 0 ? Math.min(...years) : null,
    year_to: years.length > 0 ? Math.max(...years) : null,
  }
}
