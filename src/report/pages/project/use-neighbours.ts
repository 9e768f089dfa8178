import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { whenIdle } from '#src/lib/when-idle.ts'
import { projectAheadQuery } from '#src/report/api/project-details.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'

export type Neighbours = {
  readonly previous: string | undefined
  readonly next: string | undefined
  /** One-based position in the list; undefined if the project is in none. */
  readonly place: number | undefined
  readonly total: number
}

const NOBODY: Neighbours = { previous: undefined, next: undefined, place: undefined, total: 0 }
type List = { readonly ids: readonly string[]; readonly total: number }

export function neighboursIn({ ids, total }: List, id: string): Neighbours | undefined {
  const at = ids.indexOf(id)
  return at === -1 ? undefined : { previous: ids[at - 1], next: ids[at + 1], place: at + 1, total }
}

/**
 * Neighbours in the originating report; the next one is prefetched. The list is a snapshot from arrival, so hiding a
 * project does not shift the rest.
 */
export function useNeighbours(id: string, from: ReportSearch | undefined): Neighbours {
  const { data } = useQuery({
    ...reportIdsQuery(from ?? {}),
    enabled: from !== undefined,
    // Walking through the list counts as one visit.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const [kept, setKept] = useState<{ list: List; from: ReportSearch }>()
  const isKept = kept !== undefined && kept.from === from && kept.list.ids.includes(id)
  if (!isKept && from && data?.ids.includes(id)) setKept({ list: data, from })
  const neighbours = (isKept && neighboursIn(kept.list, id)) || NOBODY
  const { next } = neighbours
  useEffect(() => {
    if (next === undefined) return
    return whenIdle(() => void queryClient.query(projectAheadQuery(next)).catch(() => undefined))
  }, [next])
  return neighbours
}
