import { getRouteApi } from '@tanstack/react-router'
import type { CompanyRef } from '#contract/market/company.ts'
import {
  type CompanySearch,
  DEFAULT_SME_PREFERENCE_PERCENT,
  type IgnoredCompanyParam,
  MAX_COMPARED_COMPANIES,
  STATISTICS_SCOPE_PARAMS,
} from '#contract/market/company-params.ts'
import { pickSearch, type SearchPatch } from '#src/lib/typed-search.ts'

const route = getRouteApi('/_app/company-comparison')

export type ComparisonSearchPatch = SearchPatch<CompanySearch>
export type ChangeComparisonSearchFn = (patch: ComparisonSearchPatch, historyMode?: 'push' | 'replace') => void

export type ComparisonUrlState = {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
  readonly names: readonly string[]
  readonly leftOut: readonly string[]
  /** SME preference band above the lowest bid, in percent. */
  readonly smeBand: number
  readonly change: ChangeComparisonSearchFn
  /**
   * Replaces the compared companies and drops parameters that referred to the old ones by position. `patch` changes
   * other search parameters in the same step.
   */
  readonly compare: (names: readonly string[], patch?: ComparisonSearchPatch) => void
}

/** Returns how the URL names a company: by tax id when another company has the same name. */
export function toCompanyParam({
  name,
  tax_id,
  is_shared_name,
}: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>): string {
  return is_shared_name && tax_id !== null ? tax_id : name
}

/**
 * Search changes for the scope in which `/company-comparison/pairs` counts meetings: the organisation's whole report.
 */
export const COMPARISON_PAIRS_SEARCH_PATCH: ComparisonSearchPatch = {
  ...Object.fromEntries(STATISTICS_SCOPE_PARAMS.map((name) => [name, undefined])),
  scope: 'watch',
  common: undefined,
}

export function applyComparisonSearchPatch(search: CompanySearch, patch: ComparisonSearchPatch): CompanySearch {
  return Object.fromEntries(Object.entries({ ...search, ...patch }).filter(([, value]) => value !== undefined))
}

export function withComparedCompanies(search: CompanySearch, names: readonly string[]): CompanySearch {
  return applyComparisonSearchPatch(search, {
    project_winner_name__in: names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_COMPARED_COMPANIES),
    us: search.us !== undefined && names.includes(search.us) ? search.us : undefined,
    rows: undefined,
    page: undefined,
    departments_of: undefined,
  })
}

export function useComparisonUrlState(): ComparisonUrlState {
  'use memo'
  const routeSearch = route.useSearch()
  const navigate = route.useNavigate()
  const search = pickSearch<CompanySearch>(routeSearch)
  const go = (update: (now: CompanySearch) => CompanySearch, historyMode: 'push' | 'replace' = 'push') => {
    void navigate({
      search: (current) => update(pickSearch<CompanySearch>(current)),
      replace: historyMode === 'replace',
      resetScroll: false,
    })
  }
  const change: ChangeComparisonSearchFn = (patch, historyMode) =>
    go((now) => applyComparisonSearchPatch(now, patch), historyMode)
  const compare: ComparisonUrlState['compare'] = (names, patch = {}) =>
    go((now) => withComparedCompanies(applyComparisonSearchPatch(now, patch), names))
  const requestedNames = search.project_winner_name__in ?? []
  return {
    search,
    ignored: routeSearch.ignored ?? [],
    names: requestedNames.slice(0, MAX_COMPARED_COMPANIES),
    leftOut: requestedNames.slice(MAX_COMPARED_COMPANIES),
    smeBand: search.sme_band ?? DEFAULT_SME_PREFERENCE_PERCENT,
    change,
    compare,
  }
}
