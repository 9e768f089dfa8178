import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type BudgetSearch, type IgnoredBudgetParam, parseBudgetSearch } from '#contract/budget-params.ts'
import { type ChangeBudget, changeBudgetAddress } from './budget-address.ts'

const route = getRouteApi('/_app/budget')

/** Year, way down, filters, page and open item: they live in the address and nowhere else. */
export function useBudgetAddress(): {
  readonly search: BudgetSearch
  /** What the link holds and the page does not use. */
  readonly ignored: readonly IgnoredBudgetParam[]
  readonly change: ChangeBudget
} {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = useMemo(() => parseBudgetSearch(flat), [flat])
  const change = useCallback<ChangeBudget>(
    (patch, how = 'push') => {
      void navigate({
        search: (now) => changeBudgetAddress(now, patch),
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { search, ignored, change }
}
