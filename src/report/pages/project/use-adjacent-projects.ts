import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { projectPrefetchQuery } from '#src/report/api/project-details.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'

export type AdjacentProjects = {
  readonly previous: string | undefined
  readonly next: string | undefined
  /** Position in the list, from 1; undefined if the project is in no list. */
  readonly position: number | undefined
  readonly total: number
  readonly moveTo: (id: string) => void
}

type ProjectList = { readonly ids: readonly string[]; readonly total: number }

const NO_LIST: ProjectList = { ids: [], total: 0 }
const route = getRouteApi('/_app/report/$id')

/** The list is a snapshot from arrival, so hiding a project does not shift the rest. */
export function useAdjacentProjects(id: string, from: ReportSearch | undefined): AdjacentProjects {
  const { data } = useQuery({
    ...reportIdsQuery(from ?? {}),
    enabled: from !== undefined,
    // Visits within this time count as one while the user moves through the list, so do not refetch.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const navigate = route.useNavigate()
  const [snapshot, setSnapshot] = useState<{ list: ProjectList; from: ReportSearch }>()
  const isSnapshotCurrent = snapshot !== undefined && snapshot.from === from && snapshot.list.ids.includes(id)
  if (!isSnapshotCurrent && from && data?.ids.includes(id)) setSnapshot({ list: data, from })
  const { ids, total } = isSnapshotCurrent ? snapshot.list : NO_LIST
  const at = ids.indexOf(id)
  const next = ids[at + 1]
  useEffect(() => {
    if (next === undefined) return
    return runWhenIdle(() => void queryClient.query(projectPrefetchQuery(next)).catch(() => undefined))
  }, [next])
  return {
    previous: ids[at - 1],
    next,
    position: at === -1 ? undefined : at + 1,
    total,
    moveTo: (to) => void navigate({ params: { id: to }, search: true, replace: true }),
  }
}
