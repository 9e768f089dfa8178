import { onlineManager } from '@tanstack/react-query'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { currentUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { isKept } from '#src/api/offline/kept-answers.ts'
import { OWN_DEVICE } from '#src/lib/session-store.ts'
import { whenIdle } from '#src/lib/when-idle.ts'
import { morningQueueQuery, QUEUE_ROWS, queueRowsQuery } from '#src/report/api/morning-queue.ts'
import { projectAheadQuery } from '#src/report/api/project-details.ts'
import { reportPageQuery } from '#src/report/api/reports.ts'
import { pursuitListQuery, pursuitQuery } from '#src/team/api/pursuits.ts'

/** Data fetched within this time is not prefetched again. */
const FRESH_MS = 6 * 60 * 60_000
/** Projects to prefetch: most recently starred, and those that the team pursues. */
const MOST_STARRED = 25
const MOST_PURSUED = 25
/** Delay so that the current screen loads first, ms. */
const BEGIN_AFTER_MS = 5000

type Asked = { readonly queryKey: readonly unknown[]; readonly queryFn?: unknown }

/**
 * Prefetches data for offline reading on personal devices, one request at a time while idle: starred projects, board,
 * morning queue and the start report. Prefetching does not record a project view. Returns the stop function.
 */
export function askAhead(): () => void {
  let isOver = false
  let cancelIdle = () => {}
  const idle = () =>
    new Promise<void>((resolve) => {
      cancelIdle = whenIdle(resolve)
    })
  const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
  const ask = async <Data>(options: Asked): Promise<Data | undefined> => {
    await idle()
    if (isOver || !onlineManager.isOnline() || document.visibilityState !== 'visible') return undefined
    if (await isKept(options.queryKey, FRESH_MS)) return queryClient.getQueryData<Data>(options.queryKey)
    return (await queryClient
      .query({ ...options, staleTime: FRESH_MS, retry: false } as never)
      .catch(() => undefined)) as Data
  }
  const run = async () => {
    await ask(reportPageQuery({}))
    await ask(reportPageQuery({ project_bookmark: true }))
    const queue = await ask<{ sections: readonly { ids: readonly string[] }[]; decided: readonly string[] }>(
      morningQueueQuery({}),
    )
    const undecided = queue?.sections.flatMap(({ ids }) => ids).filter((id) => !queue.decided.includes(id)) ?? []
    if (undecided.length > 0) await ask(queueRowsQuery(undecided.slice(0, QUEUE_ROWS)))
    await ask(pursuitSettingsQuery)
    const board = await ask<{ results: readonly { project_id: string }[] }>(pursuitListQuery({}))
    const pursued = board?.results.slice(0, MOST_PURSUED).map(({ project_id }) => project_id) ?? []
    const starred = currentUser()?.project_bookmark.slice(-MOST_STARRED) ?? []
    for (const id of new Set([...starred, ...pursued])) await ask(projectAheadQuery(id))
    for (const id of pursued) await ask(pursuitQuery(id))
  }
  const begin = () => {
    if (!isOver && !saves && matchMedia(OWN_DEVICE).matches) run().catch(() => undefined)
  }
  const timer = setTimeout(begin, BEGIN_AFTER_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
    cancelIdle()
  }
}
