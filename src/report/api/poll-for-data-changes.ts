import { onlineManager } from '@tanstack/react-query'
import { type DataChangePollResponse, dataChangePollResponseSchema } from '#contract/account/notification.ts'
import type { User } from '#contract/account/user.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { probeConnectionAfterFailure } from '#src/api/http/connection.ts'
import { keywordImpactKeys, projectKeys, pursuitKeys, reportKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { isDataOlderThan, newestDataTimeStore } from './newest-data-time-store.ts'

export const DATA_CHANGE_POLL_INTERVAL_MS = 20_000
/** Minimum time between two polls, because returning to a tab fires several events at once. */
const MIN_INTERVAL_MS = 1000

/** Polls while the tab is visible and online, and at once when it is so again. Returns a function that stops it. */
export function pollForDataChanges(): () => void {
  knownPursuits = undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPolling = false
  let lastPolledAt = -MIN_INTERVAL_MS
  const stopper = new AbortController()
  const { signal } = stopper
  const isWatched = () =>
    !signal.aborted &&
    document.visibilityState === 'visible' &&
    navigator.onLine &&
    onlineManager.isOnline() &&
    getCurrentSession() !== undefined

  const schedulePoll = () => {
    clearTimeout(timer)
    if (isWatched()) timer = setTimeout(ask, DATA_CHANGE_POLL_INTERVAL_MS)
  }
  const ask = async () => {
    if (isPolling) return
    if (!isWatched() || performance.now() - lastPolledAt < MIN_INTERVAL_MS) return schedulePoll()
    clearTimeout(timer)
    isPolling = true
    lastPolledAt = performance.now()
    const owner = getSessionOwner(getCurrentSession())
    try {
      const changes = await sendApiRequest('users/me/pulse', {
        schema: dataChangePollResponseSchema,
        timeoutMs: DATA_CHANGE_POLL_INTERVAL_MS,
      })
      if (!signal.aborted && getSessionOwner(getCurrentSession()) === owner) await applyChanges(changes)
    } catch (error) {
      probeConnectionAfterFailure(error)
    } finally {
      isPolling = false
      schedulePoll()
    }
  }
  const onEvent = () => void ask()
  document.addEventListener('visibilitychange', onEvent, { signal })
  window.addEventListener('focus', onEvent, { signal })
  window.addEventListener('online', onEvent, { signal })
  const stopWatching = subscribeToSession(schedulePoll)
  const stopListening = onlineManager.subscribe(onEvent)
  schedulePoll()
  return () => {
    stopper.abort()
    clearTimeout(timer)
    stopWatching()
    stopListening()
  }
}

async function applyChanges({
  data_time,
  newest_notification: newest,
  pursuit_version,
}: DataChangePollResponse): Promise<void> {
  applyDataTime(data_time)
  applyPursuits(pursuit_version ?? null)
  const user = queryClient.getQueryData<User>(userKeys.me)
  if (newest === null || !user) return
  const knownIds = user.notification_updated_status.notifications.map(({ id }) => Number(id))
  if (Number(newest) > Math.max(0, ...knownIds)) await queryClient.invalidateQueries({ queryKey: userKeys.me })
}

let knownPursuits: number | null | undefined

/**
 * Handles pursuits changed by a colleague or another device: refetches visible queries and marks the others stale.
 * Report pages of an older load are only marked stale, because rows of a new load must appear only through the new-data
 * notice. On the first poll, the cached pages show whether a refetch is needed.
 */
function applyPursuits(version: number | null): void {
  if (version === knownPursuits) return
  const isFirst = knownPursuits === undefined
  knownPursuits = version
  const pages = queryClient
    .getQueriesData<ReportPageResponse>({ queryKey: reportKeys.all, predicate: isPage })
    .flatMap(([, page]) => page ?? [])
  const canCompare = pages.length > 0 || version === null
  if (isFirst && canCompare && pages.every((page) => (page.pursuit_version ?? null) === version)) return
  void queryClient.invalidateQueries({ queryKey: pursuitKeys.all })
  // The user's start view belongs to a colleague, who may have changed or deleted it, so refetch the user.
  if (queryClient.getQueryData<User>(userKeys.me)?.start_team_view)
    void queryClient.invalidateQueries({ queryKey: userKeys.me })
  const hasOlderPages = pages.some(({ data_time }) => isDataOlderThan(data_time, newestDataTimeStore.get()))
  void queryClient.invalidateQueries({ queryKey: reportKeys.all, refetchType: hasOlderPages ? 'none' : 'active' })
}

/** Marks queries of an older load as stale. Visible rows stay unchanged until the user reloads. */
function applyDataTime(time: string | null): void {
  const before = newestDataTimeStore.get()
  if (!isDataOlderThan(before, time)) return
  newestDataTimeStore.set(time)
  const pages = queryClient.getQueriesData<ReportPageResponse>({ queryKey: reportKeys.all, predicate: isPage })
  const hasStaleData = before !== null || pages.some(([, page]) => page && isDataOlderThan(page.data_time, time))
  if (!hasStaleData) return
  for (const queryKey of [reportKeys.all, projectKeys.all, keywordImpactKeys.all])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

const isPage = ({ queryKey: [, kind] }: { readonly queryKey: readonly unknown[] }) => kind === 'page'

export function loadNewestReport(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: reportKeys.all })
}
