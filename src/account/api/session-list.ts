import { queryOptions } from '@tanstack/react-query'
import { sessionListSchema } from '#contract/account/session-list.ts'
import { request } from '#src/api/http/client.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession } from '#src/lib/session-store.ts'

/** What the loader of the page has asked is not asked again when the tab is drawn. */
const FRESH_MS = 10_000

/** Where the user is logged in. */
export const sessionListQuery = queryOptions({
  queryKey: userKeys.sessions,
  queryFn: async ({ signal }) => (await request('users/me/sessions', { schema: sessionListSchema, signal })).sessions,
  staleTime: FRESH_MS,
})

/** Ends one other session; the list is asked for again. */
export async function endOtherSession(id: string): Promise<void> {
  try {
    await request(`users/me/sessions/${encodeURIComponent(id)}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: userKeys.sessions })
  }
}

/** Logs out everywhere, here too. */
export async function endAllSessions(): Promise<void> {
  await request('users/me/sessions/end-all/', { method: 'post' })
  endSession('logout')
}

/** Asks for the list again, where it is on screen: a change of the password has ended sessions. */
export function refreshSessionList(): void {
  void queryClient.invalidateQueries({ queryKey: userKeys.sessions })
}
