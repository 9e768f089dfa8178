import { getRouteApi } from '@tanstack/react-router'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { focusBudgetItems } from './budget-text.ts'
import { applyBudgetUrlPatch, type BudgetSearchPatch } from './budget-url.ts'

const route = getRouteApi('/_app/budget')

export function useBudgetUrlState() {
  const state = useSearchState<BudgetSearch>(route.useSearch(), route.useNavigate(), applyBudgetUrlPatch)
  const showItems = (patch: BudgetSearchPatch) => {
    state.change(patch)
    focusBudgetItems()
  }
  return { ...state, showItems }
}

/** Search of the page, with the effective year and scope even when the URL omits them. */
export type EffectiveBudgetSearch = BudgetSearch & { readonly year: number }

export function useHasKeywords(): boolean {
  const { include, ai_include, deptsub_include } = useOrganisation()
  return include.length + ai_include.length + deptsub_include.length > 0
}
