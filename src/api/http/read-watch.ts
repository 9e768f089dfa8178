import type { Query } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** Reads slower than this are reported and can be stopped (C23). */
export const SLOW_MS = 8000

export type ReadTroubles = { readonly slow: readonly Query[]; readonly failed: readonly Query[] }

export function watchReads(tell: (troubles: ReadTroubles) => void): () => void {
  const cache = queryClient.getQueryCache()
  const since = new Map<Query, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let message = ''

  const look = () => {
    clearTimeout(timer)
    const now = performance.now()
    const seen = cache.findAll({ type: 'active' })
    const fetching = new Set(seen.filter(({ state }) => state.fetchStatus === 'fetching'))
    for (const query of since.keys()) if (!fetching.has(query)) since.delete(query)
    for (const query of fetching) if (!since.has(query)) since.set(query, now)
    const slow = [...fetching].filter((query) => now - since.get(query)! >= SLOW_MS)
    const failed = seen.filter(({ state }) => state.status === 'error')
    const next = [...fetching].flatMap((query) => (slow.includes(query) ? [] : since.get(query)!))
    if (next.length > 0) timer = setTimeout(look, Math.max(0, Math.min(...next) + SLOW_MS - now) + 10)
    const saying = JSON.stringify(
      [slow, failed].map((queries) => queries.map(({ queryHash: hash, state }) => [hash, state.errorUpdatedAt])),
    )
    if (saying === message) return
    message = saying
    tell({ slow, failed })
  }
  // Batches changes of one tick, and runs outside the render that caused them.
  let isDue = false
  const plan = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      look()
    })
  }
  const stop = cache.subscribe(plan)
  plan()
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** Stops reads. Each becomes a failure with a retry button; earlier data stays. */
export function stopReads(queries: readonly Query[]): void {
  for (const query of queries) void query.cancel({ revert: false, silent: false })
}

export function retryReads(queries: readonly Query[]): void {
  for (const query of queries) void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true })
}
