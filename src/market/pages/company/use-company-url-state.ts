import { getRouteApi } from '@tanstack/react-router'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { applyPatchOfPagedList, useSearchState } from '#src/lib/use-search-state.ts'
import { COMPANY_PROJECT_ORDERINGS } from './company-search.ts'

const route = getRouteApi('/_app/companies/$name')

export const COMPANY_PROJECTS_HEADING_ID = 'company-projects'

export function useCompanyUrlState() {
  const navigate = route.useNavigate()
  const { name: namePart } = route.useParams()
  const state = useSearchState<CompanySearch>(route.useSearch(), navigate, applyPatchOfPagedList)
  const [defaultOrdering] = COMPANY_PROJECT_ORDERINGS
  /** Lists the projects behind a figure, and moves the focus to them. */
  const openRows = (rows: string) => {
    state.change({ rows })
    const heading = document.getElementById(COMPANY_PROJECTS_HEADING_ID)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView?.({ block: 'start' })
  }
  return {
    ...state,
    openRows,
    navigate,
    namePart,
    name: decodeNameFromUrlPath(namePart),
    ordering: state.search.ordering ?? defaultOrdering,
    setOrdering: (ordering: string) => state.change({ ordering: ordering === defaultOrdering ? undefined : ordering }),
  }
}
