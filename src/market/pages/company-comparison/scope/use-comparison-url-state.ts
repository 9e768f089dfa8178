import { getRouteApi } from '@tanstack/react-router'
import {
  type CompanySearch,
  DEFAULT_SME_PREFERENCE_PERCENT,
  MAX_COMPARED_COMPANIES,
  STATISTICS_SCOPE_PARAMS,
} from '#contract/market/company-params.ts'
import { pickSearch, type SearchPatch } from '#src/lib/typed-search.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/company-comparison')

export type ComparisonUrlState = ReturnType<typeof useComparisonUrlState>

/** Scope in which `/company-comparison/pairs` counts meetings: the organisation's whole report. */
export const COMPARISON_PAIRS_SEARCH_PATCH: SearchPatch<CompanySearch> = {
  ...Object.fromEntries(STATISTICS_SCOPE_PARAMS.map((name) => [name, undefined])),
  scope: 'watch',
  common: undefined,
}

/** Replaces the compared companies and drops parameters that referred to the old ones by position. */
export function withComparedCompanies(search: SearchPatch<CompanySearch>, names: readonly string[]): CompanySearch {
  return pickSearch<CompanySearch>({
    ...search,
    project_winner_name__in: names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_COMPARED_COMPANIES),
    us: search.us !== undefined && names.includes(search.us) ? search.us : undefined,
    rows: undefined,
    page: undefined,
    departments_of: undefined,
  })
}

export function useComparisonUrlState() {
  'use memo'
  const navigate = route.useNavigate()
  const state = useSearchState<CompanySearch>(route.useSearch(), navigate)
  const requestedNames = state.search.project_winner_name__in ?? []
  return {
    ...state,
    names: requestedNames.slice(0, MAX_COMPARED_COMPANIES),
    leftOut: requestedNames.slice(MAX_COMPARED_COMPANIES),
    /** SME preference band above the lowest bid, in percent. */
    smeBand: state.search.sme_band ?? DEFAULT_SME_PREFERENCE_PERCENT,
    /** Compares these companies. `patch` changes other search parameters in the same step. */
    compare: (names: readonly string[], patch: SearchPatch<CompanySearch> = {}) =>
      void navigate({
        search: (current) => withComparedCompanies({ ...pickSearch<CompanySearch>(current), ...patch }, names),
        resetScroll: false,
      }),
  }
}
