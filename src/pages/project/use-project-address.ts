import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ReportSearch } from '#contract/report-params.ts'
import { PROJECT_TABS, type ProjectTab, printProjectSearch, readProjectSearch } from '#src/lib/project-address.ts'

const route = getRouteApi('/_app/report/$id')

export type ProjectAddress = {
  readonly id: string
  readonly tab: ProjectTab
  /** The report that it was opened from; undefined when it was not opened from one. */
  readonly from: ReportSearch | undefined
  readonly openTab: (tab: ProjectTab) => void
}

/** Which project, which tab and which list it was opened from: all of it stands in the address. */
export function useProjectAddress(): ProjectAddress {
  const { id } = route.useParams()
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { tab = PROJECT_TABS[0], from } = useMemo(() => readProjectSearch(flat), [flat])
  const openTab = useCallback(
    (next: ProjectTab) => {
      void navigate({
        search: (now) => printProjectSearch({ ...readProjectSearch(now), tab: next }),
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { id, tab, from, openTab }
}
