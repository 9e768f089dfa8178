import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { MorningQueue, MorningQueueKind } from '#contract/report/morning-queue.ts'
import { morningQueueCounts } from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import {
  morningQueueQuery,
  QUEUE_PAGE_SIZE,
  queueRowsQuery,
  refetchMorningQueues,
} from '#src/report/api/morning-queue.ts'
import { decideInQueue } from '#src/report/api/morning-queue-decisions.ts'
import {
  currentProjectId,
  goBackInQueue,
  goForwardInQueue,
  type QueueState,
  type QueueUndoResult,
  queueEntries,
  startQueue,
  undo,
} from '#src/report/morning-queue/queue-state.ts'
import { currentMarksOf, restoreInQueue } from './queue-marks.ts'

type Walk = {
  readonly queue: MorningQueue
  readonly kinds: ReadonlyMap<string, MorningQueueKind>
  readonly total: number
  readonly startedAtMs: number
  readonly decidedAtStart: number
}

export type QueueWalk = {
  readonly walk: Walk | undefined
  readonly state: QueueState | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
  readonly next: () => void
  readonly back: () => void
  readonly undo: () => QueueUndoResult | undefined
  readonly restart: () => void
}

export function useQueueWalk(search: ReportSearch): QueueWalk {
  const [walk, setWalk] = useState<Walk>()
  const [state, setState] = useState<QueueState>()
  const queueQuery = useQuery({ ...useOverlaid(morningQueueQuery(search)), enabled: walk === undefined })
  const { data, isFetching, error, refetch } = queueQuery

  if (walk === undefined && data && !isFetching && !error) {
    const queue = data
    const entries = queueEntries(queue)
    setWalk({
      queue,
      kinds: new Map(entries.map(({ id, kind }) => [id, kind])),
      total: morningQueueCounts(queue).total,
      startedAtMs: performance.now(),
      decidedAtStart: queue.decided.length,
    })
    setState(startQueue(entries, queue.decided, currentMarksOf))
  }

  // A ref, because a second key may arrive before React renders the first.
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  const applyState = useCallback((newState: QueueState) => {
    latest.current = newState
    setState(newState)
  }, [])
  const loadId = walk?.queue.load_id ?? null

  const next = useCallback(() => {
    const current = latest.current
    const id = current && currentProjectId(current)
    if (!current || id === undefined) return
    if (loadId !== null && !current.decided.has(id)) decideInQueue(loadId, id, true)
    applyState(goForwardInQueue(current, currentMarksOf))
  }, [applyState, loadId])
  const back = useCallback(() => {
    if (latest.current) applyState(goBackInQueue(latest.current, currentMarksOf))
  }, [applyState])
  const undoLast = useCallback(() => {
    const undone = latest.current && undo(latest.current, currentMarksOf)
    if (!undone) return undefined
    restoreInQueue(undone.id, undone.restore)
    if (undone.undecide && loadId !== null) decideInQueue(loadId, undone.id, false)
    applyState(undone.state)
    return undone
  }, [applyState, loadId])
  const restart = useCallback(() => {
    refetchMorningQueues()
    setWalk(undefined)
    setState(undefined)
  }, [])
  const retry = useCallback(() => void refetch(), [refetch])
  return { walk, state, error: walk ? null : error, isFetching, retry, next, back, undo: undoLast, restart }
}

export type QueueRow = {
  readonly row: ReportRow | undefined
  readonly following: ReportRow | undefined
  readonly hasLeftReport: boolean
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
}

export function useQueueRow(state: QueueState | undefined): QueueRow {
  const id = state && currentProjectId(state)
  const { ids, at } = state ?? { ids: [], at: 0 }
  const page = Math.floor(Math.min(at, Math.max(0, ids.length - 1)) / QUEUE_PAGE_SIZE)
  const pageOf = (number: number) => ids.slice(number * QUEUE_PAGE_SIZE, (number + 1) * QUEUE_PAGE_SIZE)
  const { data, error, isFetching, refetch } = useQuery(queueRowsQuery(pageOf(page)))
  const nextPageRows = useQuery(queueRowsQuery(pageOf(page + 1))).data
  const followingId = ids[at + 1]
  return {
    row: id === undefined ? undefined : data?.[id],
    following: followingId === undefined ? undefined : (data?.[followingId] ?? nextPageRows?.[followingId]),
    hasLeftReport: id !== undefined && data !== undefined && !Object.hasOwn(data, id),
    error: data ? null : error,
    isFetching,
    retry: () => void refetch(),
  }
}
