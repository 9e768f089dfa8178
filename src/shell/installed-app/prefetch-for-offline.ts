import { onlineManager } from '@tanstack/react-query'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { getCurrentUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { hasStoredResponse } from '#src/api/offline/stored-responses.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { PERSONAL_DEVICE_MEDIA_QUERY } from '#src/lib/session-store.ts'
import { MORNING_QUEUE_PAGE_SIZE, morningQueueQuery, morningQueueRowsQuery } from '#src/report/api/morning-queue.ts'
import { projectPrefetchQuery } from '#src/report/api/project-details.ts'
import { reportPageQuery } from '#src/report/api/reports.ts'
import { pursuitListQuery, pursuitQuery } from '#src/team/api/pursuits.ts'

const FRESH_MS = 6 * 60 * 60_000
const MAX_STARRED = 25
const MAX_PURSUED = 25
const START_DELAY_MS = 5000

type PrefetchQuery = { readonly queryKey: readonly unknown[]; readonly queryFn?: unknown }

/**
 * Prefetches data for offline reading on personal devices, one request at a time while idle: starred projects, board,
 * morning queue and the start report. Prefetching records no project views. Returns a function that stops prefetching.
 */
export function prefetchForOffline(): () => void {
  let isStopped = false
  let cancelIdle = () => {}
  const idle = () =>
    new Promise<void>((resolve) => {
      cancelIdle = runWhenIdle(resolve)
    })
  const isSavingData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
  const prefetch = async <Data>(options: PrefetchQuery): Promise<Data | undefined> => {
    await idle()
    if (isStopped || !onlineManager.isOnline() || document.visibilityState !== 'visible') return undefined
    if (await hasStoredResponse(options.queryKey, FRESH_MS)) return queryClient.getQueryData<Data>(options.queryKey)
    return (await queryClient
      .query({ ...options, staleTime: FRESH_MS, retry: false } as never)
      .catch(() => undefined)) as Data
  }
  const run = async () => {
    await prefetch(reportPageQuery({}))
    await prefetch(reportPageQuery({ project_bookmark: true }))
    const queue = await prefetch<{ sections: readonly { ids: readonly string[] }[]; decided: readonly string[] }>(
      morningQueueQuery({}),
    )
    const undecided = queue?.sections.flatMap(({ ids }) => ids).filter((id) => !queue.decided.includes(id)) ?? []
    if (undecided.length > 0)
      await prefetch(morningQueueRowsQuery(undecided.slice(0, MORNING_QUEUE_PAGE_SIZE), undefined))
    await prefetch(pursuitSettingsQuery)
    const board = await prefetch<{ results: readonly { project_id: string }[] }>(pursuitListQuery({}))
    const pursued = board?.results.slice(0, MAX_PURSUED).map(({ project_id }) => project_id) ?? []
    const starred = getCurrentUser()?.project_bookmark.slice(-MAX_STARRED) ?? []
    for (const id of new Set([...starred, ...pursued])) await prefetch(projectPrefetchQuery(id))
    for (const id of pursued) await prefetch(pursuitQuery(id))
  }
  const start = () => {
    if (!isStopped && !isSavingData && matchMedia(PERSONAL_DEVICE_MEDIA_QUERY).matches) run().catch(() => undefined)
  }
  const timer = setTimeout(start, START_DELAY_MS)
  return () => {
    isStopped = true
    clearTimeout(timer)
    cancelIdle()
  }
}
