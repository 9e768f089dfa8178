import type { Query } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** Reads slower than this are reported to the user, who can stop them (C23). */
export const SLOW_QUERY_THRESHOLD_MS = 8000

export type SlowAndFailedQueries = { readonly slow: readonly Query[]; readonly failed: readonly Query[] }

export function subscribeToSlowAndFailedQueries(listener: (troubles: SlowAndFailedQueries) => void): () => void {
  const cache = queryClient.getQueryCache()
  const startedAt = new Map<Query, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastFingerprint = ''

  const check = () => {
    clearTimeout(timer)
    const now = performance.now()
    const activeQueries = cache.findAll({ type: 'active' })
    const fetching = new Set(activeQueries.filter(({ state }) => state.fetchStatus === 'fetching'))
    for (const query of startedAt.keys()) if (!fetching.has(query)) startedAt.delete(query)
    for (const query of fetching) if (!startedAt.has(query)) startedAt.set(query, now)
    const slow = [...fetching].filter((query) => now - startedAt.get(query)! >= SLOW_QUERY_THRESHOLD_MS)
    const failed = activeQueries.filter(({ state }) => state.status === 'error')
    const pendingStarts = [...fetching].flatMap((query) => (slow.includes(query) ? [] : startedAt.get(query)!))
    if (pendingStarts.length > 0)
      timer = setTimeout(check, Math.max(0, Math.min(...pendingStarts) + SLOW_QUERY_THRESHOLD_MS - now) + 10)
    const fingerprint = JSON.stringify(
      [slow, failed].map((queries) => queries.map(({ queryHash: hash, state }) => [hash, state.errorUpdatedAt])),
    )
    if (fingerprint === lastFingerprint) return
    lastFingerprint = fingerprint
    listener({ slow, failed })
  }
  let isDue = false
  const scheduleCheck = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      check()
    })
  }
  const stop = cache.subscribe(scheduleCheck)
  scheduleCheck()
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** Stops slow reads. Each then counts as failed and gets a retry button; data from earlier reads stays on screen. */
export function cancelSlowQueries(queries: readonly Query[]): void {
  for (const query of queries) void query.cancel({ revert: false, silent: false })
}

export function retryFailedQueries(queries: readonly Query[]): void {
  for (const query of queries) void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true })
}
