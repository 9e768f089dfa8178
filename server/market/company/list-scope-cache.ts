import type { FigureScopeSearch } from '#contract/market/company-params.ts'
import type { FigureScope } from '#contract/market/figure-scope.ts'
import { provinceByName } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createNewestVersionCache } from '#server/platform/route/cache-newest.ts'
import {
  type CoverageColumns,
  type FactScope,
  figureScope,
  loadComputedAt,
  sliceConditions,
  type YearColumns,
} from './company-scope.ts'
import { countCompanyProjects, countCompanyScope, type ProjectSlice } from './queries/count-scope.ts'

export type ListScopeResult = {
  readonly scope: FigureScope
  readonly years: readonly number[]
}

/**
 * Caches the scope of company lists. Counts projects by kind once per published load; each scope then sums those
 * slices. Summing over companies would count shared projects twice, and counting a million projects takes a second.
 */
export function createListScopeCache(db: Db): (factScope: FactScope) => Promise<ListScopeResult> {
  const keep = createNewestVersionCache<string | null, readonly ProjectSlice[]>()
  return async (factScope) => {
    const computedAt = await loadComputedAt(db)
    const allSlices = await keep(computedAt, () => countCompanyProjects(db))
    const totals = sliceConditions(factScope.search)
      ? sumSlices(allSlices, factScope.search)
      : await countCompanyScope(db, factScope)
    const years = [
      ...new Set(allSlices.flatMap((slice) => (slice.has_awards && slice.fiscal_year > 0 ? [slice.fiscal_year] : []))),
    ]
    return { scope: figureScope(factScope.search, totals, computedAt), years: years.sort((a, b) => b - a) }
  }
}

function sumSlices(slices: readonly ProjectSlice[], search: FigureScopeSearch): CoverageColumns & YearColumns {
  const { project_method__in: methods, project_method_type__in: types } = search
  const { year_from: from, year_to: to } = search
  const provinces = search.project_province__in?.map((name) => provinceByName(name)?.code)
  const inScope = slices.filter(
    (slice) =>
      (from === undefined || slice.fiscal_year >= from) &&
      (to === undefined || (slice.fiscal_year > 0 && slice.fiscal_year <= to)) &&
      (methods?.includes(slice.method) ?? true) &&
      (types?.includes(slice.method_type) ?? true) &&
      (provinces?.includes(slice.project_province) ?? true),
  )
  const sum = (of: (slice: ProjectSlice) => number) => inScope.reduce((total, slice) => total + of(slice), 0)
  const years = inScope.map((slice) => slice.fiscal_year).filter((year) => year > 0)
  return {
    projects: sum((slice) => slice.projects),
    coverage_full: sum((slice) => slice.coverage_full),
    coverage_names: sum((slice) => slice.coverage_names),
    coverage_winner: sum((slice) => slice.coverage_winner),
    year_from: years.length > 0 ? Math.min(...years) : null,
    year_to: years.length > 0 ? Math.max(...years) : null,
  }
}
