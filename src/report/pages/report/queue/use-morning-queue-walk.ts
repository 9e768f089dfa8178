import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countMorningQueue, type MorningQueue, type MorningQueueKind } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import {
  MORNING_QUEUE_PAGE_SIZE,
  morningQueueQuery,
  morningQueueRowsQuery,
  refetchMorningQueues,
} from '#src/report/api/morning-queue.ts'
import { setMorningQueueDecision } from '#src/report/api/morning-queue-decisions.ts'
import { getCurrentMorningQueueMarks, restoreMarksInMorningQueue } from './morning-queue-marks.ts'
import {
  advanceMorningQueue,
  createMorningQueueState,
  getCurrentQueueProjectId,
  listMorningQueueItems,
  type MorningQueueState,
  stepBackInMorningQueue,
  undoMorningQueueStep,
} from './morning-queue-state.ts'

type Walk = {
  readonly queue: MorningQueue
  readonly kinds: ReadonlyMap<string, MorningQueueKind>
  readonly total: number
  readonly startedAtMs: number
  readonly decidedAtStart: number
}

export function useMorningQueueSession(search: ReportSearch) {
  const [walk, setWalk] = useState<Walk>()
  const [state, setState] = useState<MorningQueueState>()
  const queueQuery = useQuery({ ...useOptimisticQueryOptions(morningQueueQuery(search)), enabled: walk === undefined })
  const { data, isFetching, error, refetch } = queueQuery

  if (walk === undefined && data && !isFetching && !error) {
    const entries = listMorningQueueItems(data)
    setWalk({
      queue: data,
      kinds: new Map(entries.map(({ id, kind }) => [id, kind])),
      total: countMorningQueue(data).total,
      startedAtMs: performance.now(),
      decidedAtStart: data.decided.length,
    })
    setState(createMorningQueueState(entries, data.decided, getCurrentMorningQueueMarks))
  }

  const loadId = walk?.queue.load_id ?? null

  const next = () => {
    const id = state && getCurrentQueueProjectId(state)
    if (!state || id === undefined) return
    if (loadId !== null && !state.decided.has(id)) setMorningQueueDecision(loadId, id, true)
    setState(advanceMorningQueue(state, getCurrentMorningQueueMarks))
  }
  const back = () => {
    if (state) setState(stepBackInMorningQueue(state, getCurrentMorningQueueMarks))
  }
  const undo = () => {
    const undone = state && undoMorningQueueStep(state, getCurrentMorningQueueMarks)
    if (!undone) return undefined
    restoreMarksInMorningQueue(undone.id, undone.restore)
    if (undone.undecide && loadId !== null) setMorningQueueDecision(loadId, undone.id, false)
    setState(undone.state)
    return undone
  }
  const restart = () => {
    refetchMorningQueues()
    setWalk(undefined)
    setState(undefined)
  }
  return { walk, state, error: walk ? null : error, isFetching, refetch, next, back, undo, restart }
}

export function useMorningQueueRow(state: MorningQueueState | undefined, { ordering }: ReportSearch) {
  const id = state && getCurrentQueueProjectId(state)
  const { ids, at } = state ?? { ids: [], at: 0 }
  const page = Math.floor(Math.min(at, Math.max(0, ids.length - 1)) / MORNING_QUEUE_PAGE_SIZE)
  const pageOf = (number: number) => ids.slice(number * MORNING_QUEUE_PAGE_SIZE, (number + 1) * MORNING_QUEUE_PAGE_SIZE)
  const { data, error, isFetching, refetch } = useQuery(morningQueueRowsQuery(pageOf(page), ordering))
  const nextPageRows = useQuery(morningQueueRowsQuery(pageOf(page + 1), ordering)).data
  const followingId = ids[at + 1]
  return {
    row: id === undefined ? undefined : data?.[id],
    following: followingId === undefined ? undefined : (data?.[followingId] ?? nextPageRows?.[followingId]),
    hasLeftReport: id !== undefined && data !== undefined && !Object.hasOwn(data, id),
    error: data ? null : error,
    isFetching,
    refetch,
  }
}
