import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { MorningQueue, QueueKind } from '#contract/report/morning-queue.ts'
import { countQueue } from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { morningQueueQuery, QUEUE_ROWS, queueRowsQuery, refetchMorningQueues } from '#src/report/api/morning-queue.ts'
import { decideInQueue } from '#src/report/api/morning-queue-decisions.ts'
import {
  currentId,
  entriesOf,
  goBack,
  goOn,
  type QueueState,
  startQueue,
  type Undone,
  undo,
} from '#src/report/morning-queue/queue-state.ts'
import { marksOf, restoreInQueue } from './queue-marks.ts'

/** A walk uses a snapshot of the queue, so that nothing moves during it. */
type Walk = {
  readonly queue: MorningQueue
  readonly kinds: ReadonlyMap<string, QueueKind>
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
  readonly undo: () => Undone | undefined
  readonly restart: () => void
}

export function useQueueWalk(search: ReportSearch): QueueWalk {
  const [walk, setWalk] = useState<Walk>()
  const [state, setState] = useState<QueueState>()
  const asked = useQuery({ ...useOverlaid(morningQueueQuery(search)), enabled: walk === undefined })
  const { data, isFetching, error, refetch } = asked

  if (walk === undefined && data && !isFetching && !error) {
    const queue = data
    const entries = entriesOf(queue)
    setWalk({
      queue,
      kinds: new Map(entries.map(({ id, kind }) => [id, kind])),
      total: countQueue(queue).total,
      startedAtMs: performance.now(),
      decidedAtStart: queue.decided.length,
    })
    setState(startQueue(entries, queue.decided, marksOf))
  }

  // A ref, because a second key may arrive before React renders the first.
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  const become = useCallback((next: QueueState) => {
    latest.current = next
    setState(next)
  }, [])
  const loadId = walk?.queue.load_id ?? null

  const next = useCallback(() => {
    const now = latest.current
    const id = now && currentId(now)
    if (!now || id === undefined) return
    if (loadId !== null && !now.decided.has(id)) decideInQueue(loadId, id, true)
    become(goOn(now, marksOf))
  }, [become, loadId])
  const back = useCallback(() => {
    if (latest.current) become(goBack(latest.current, marksOf))
  }, [become])
  const takeBack = useCallback(() => {
    const undone = latest.current && undo(latest.current, marksOf)
    if (!undone) return undefined
    restoreInQueue(undone.id, undone.restore)
    if (undone.undecide && loadId !== null) decideInQueue(loadId, undone.id, false)
    become(undone.state)
    return undone
  }, [become, loadId])
  const restart = useCallback(() => {
    refetchMorningQueues()
    setWalk(undefined)
    setState(undefined)
  }, [])
  const retry = useCallback(() => void refetch(), [refetch])
  return { walk, state, error: walk ? null : error, isFetching, retry, next, back, undo: takeBack, restart }
}

export type QueueRow = {
  readonly row: ReportRow | undefined
  readonly following: ReportRow | undefined
  /** The project has left the report since the queue was built. */
  readonly isGone: boolean
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
}

/** The row of the current project; following rows are prefetched. */
export function useQueueRow(state: QueueState | undefined): QueueRow {
  const id = state && currentId(state)
  const { ids, at } = state ?? { ids: [], at: 0 }
  const page = Math.floor(Math.min(at, Math.max(0, ids.length - 1)) / QUEUE_ROWS)
  const pageOf = (number: number) => ids.slice(number * QUEUE_ROWS, (number + 1) * QUEUE_ROWS)
  const { data, error, isFetching, refetch } = useQuery(queueRowsQuery(pageOf(page)))
  const ahead = useQuery(queueRowsQuery(pageOf(page + 1))).data
  const after = ids[at + 1]
  return {
    row: id === undefined ? undefined : data?.[id],
    following: after === undefined ? undefined : (data?.[after] ?? ahead?.[after]),
    isGone: id !== undefined && data !== undefined && !Object.hasOwn(data, id),
    error: data ? null : error,
    isFetching,
    retry: () => void refetch(),
  }
}
