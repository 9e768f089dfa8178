import { useQuery } from '@tanstack/react-query'
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
}

const NO_NEIGHBOURS: AdjacentProjects = { previous: undefined, next: undefined, position: undefined, total: 0 }
type ProjectList = { readonly ids: readonly string[]; readonly total: number }

function findAdjacentProjects({ ids, total }: ProjectList, id: string): AdjacentProjects | undefined {
  const at = ids.indexOf(id)
  return at === -1 ? undefined : { previous: ids[at - 1], next: ids[at + 1], position: at + 1, total }
}

/**
 * Returns the project's neighbours in the report it was opened from, and prefetches the next one. The list is a
 * snapshot from arrival, so hiding a project does not shift the rest.
 */
export function useAdjacentProjects(id: string, from: ReportSearch | undefined): AdjacentProjects {
  const { data } = useQuery({
    ...reportIdsQuery(from ?? {}),
    enabled: from !== undefined,
    // Visits within this time count as one while the user moves through the list, so do not refetch.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const [snapshot, setSnapshot] = useState<{ list: ProjectList; from: ReportSearch }>()
  const isSnapshotCurrent = snapshot !== undefined && snapshot.from === from && snapshot.list.ids.includes(id)
  if (!isSnapshotCurrent && from && data?.ids.includes(id)) setSnapshot({ list: data, from })
  const neighbours = (isSnapshotCurrent && findAdjacentProjects(snapshot.list, id)) || NO_NEIGHBOURS
  const { next } = neighbours
  useEffect(() => {
    if (next === undefined) return
    return runWhenIdle(() => void queryClient.query(projectPrefetchQuery(next)).catch(() => undefined))
  }, [next])
  return neighbours
}
