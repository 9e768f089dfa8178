import { queryOptions } from '@tanstack/react-query'
import { sessionListSchema } from '#contract/account/session-list.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession } from '#src/lib/session-store.ts'

const STALE_TIME_MS = 10_000

export const sessionListQuery = queryOptions({
  queryKey: userKeys.sessions,
  queryFn: async ({ signal }) =>
    (await sendApiRequest('users/me/sessions', { schema: sessionListSchema, signal })).sessions,
  staleTime: STALE_TIME_MS,
})

export async function endOtherSession(id: string): Promise<void> {
  try {
    await sendApiRequest(`users/me/sessions/${encodeURIComponent(id)}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: userKeys.sessions })
  }
}

export async function endAllSessions(): Promise<void> {
  await sendApiRequest('users/me/sessions/end-all/', { method: 'post' })
  endSession('logout')
}

export function refreshSessionList(): void {
  void queryClient.invalidateQueries({ queryKey: userKeys.sessions })
}
