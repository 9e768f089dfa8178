import { onlineManager } from '@tanstack/react-query'
import { type ChangePoll, changePollSchema } from '#contract/account/notification.ts'
import type { User } from '#contract/account/user.ts'
import type { ReportPage } from '#contract/report/report.ts'
import { request } from '#src/api/http/client.ts'
import { suspectConnection } from '#src/api/http/connection.ts'
import { impactKeys, projectKeys, pursuitKeys, reportKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { isOlderData, newestDataTime } from './data-time.ts'

/** Time between two polls of an open tab. */
export const POLL_MS = 20_000
/** Coming back to a tab fires several events at once. */
const REPEAT_MS = 1000

/**
 * Asks whether there is anything new, while somebody can see this tab and it has a network; at once when they come back to it. Returns the
 * function that stops it.
 */
export function pollForChanges(): () => void {
  knownPursuits = undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let isAsking = false
  let askedAt = -REPEAT_MS
  const isWatched = () =>
    !isStopped &&
    document.visibilityState === 'visible' &&
    navigator.onLine &&
    onlineManager.isOnline() &&
    currentSession() !== undefined

  const wait = () => {
    clearTimeout(timer)
    if (isWatched()) timer = setTimeout(ask, POLL_MS)
  }
  const ask = async () => {
    if (isAsking) return
    if (!isWatched() || performance.now() - askedAt < REPEAT_MS) return wait()
    clearTimeout(timer)
    isAsking = true
    askedAt = performance.now()
    const owner = ownerOf(currentSession())
    try {
      const answer = await request('users/me/pulse', { schema: changePollSchema, timeoutMs: POLL_MS })
      // Somebody else may be here by now.
      if (!isStopped && ownerOf(currentSession()) === owner) await applyNews(answer)
    } catch (error) {
      // The next poll asks again.
      suspectConnection(error)
    } finally {
      isAsking = false
      wait()
    }
  }
  const onEvent = () => void ask()
  document.addEventListener('visibilitychange', onEvent)
  window.addEventListener('focus', onEvent)
  window.addEventListener('online', onEvent)
  const stopWatching = watchSession(wait)
  const stopListening = onlineManager.subscribe(onEvent)
  // What is on the screen was asked for a moment ago.
  wait()
  return () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onEvent)
    window.removeEventListener('focus', onEvent)
    window.removeEventListener('online', onEvent)
    stopWatching()
    stopListening()
  }
}

async function applyNews({ data_time, newest_notification: newest, pursuit_version }: ChangePoll): Promise<void> {
  applyDataTime(data_time)
  applyPursuits(pursuit_version ?? null)
  const user = queryClient.getQueryData<User>(userKeys.me)
  if (newest === null || !user) return
  const known = user.notification_updated_status.notifications.map(({ id }) => Number(id))
  if (Number(newest) > Math.max(0, ...known)) await queryClient.invalidateQueries({ queryKey: userKeys.me })
}

/** Undefined before the first poll. */
let knownPursuits: number | null | undefined

/**
 * A colleague, or another device, changed a pursuit: what is on the screen of them is asked for again, the rest when it is next shown. Rows of the report
 * say it too; a page of an older load waits with the others, so that the new load's rows come by the notice alone. The first poll learns from the pages themselves
 * whether there is anything to ask again.
 */
function applyPursuits(version: number | null): void {
  if (version === knownPursuits) return
  const isFirst = knownPursuits === undefined
  knownPursuits = version
  const pages = queryClient
    .getQueriesData<ReportPage>({ queryKey: reportKeys.all, predicate: isPage })
    .flatMap(([, page]) => page ?? [])
  const isSaid = pages.length > 0 || version === null
  if (isFirst && isSaid && pages.every((page) => (page.pursuit_version ?? null) === version)) return
  void queryClient.invalidateQueries({ queryKey: pursuitKeys.all })
  // The view of a colleague with which the user begins may be another by now, or gone.
  if (queryClient.getQueryData<User>(userKeys.me)?.start_team_view)
    void queryClient.invalidateQueries({ queryKey: userKeys.me })
  const waits = pages.some(({ data_time }) => isOlderData(data_time, newestDataTime.get()))
  void queryClient.invalidateQueries({ queryKey: reportKeys.all, refetchType: waits ? 'none' : 'active' })
}

/** Newer data makes every answer that hangs on it stale; those on the screen stay as they are until somebody asks for them. */
function applyDataTime(time: string | null): void {
  const before = newestDataTime.get()
  if (!isOlderData(before, time)) return
  newestDataTime.set(time)
  const pages = queryClient.getQueriesData<ReportPage>({ queryKey: reportKeys.all, predicate: isPage })
  const isNews = before !== null || pages.some(([, page]) => page && isOlderData(page.data_time, time))
  if (!isNews) return
  for (const queryKey of [reportKeys.all, projectKeys.all, impactKeys.all])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

const isPage = ({ queryKey: [, what] }: { readonly queryKey: readonly unknown[] }) => what === 'page'

/** Asks for the report anew: what is on the screen at once, the rest when it is next shown. */
export function loadNewestReport(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: reportKeys.all })
}
