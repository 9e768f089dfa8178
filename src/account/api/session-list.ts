import { sessionListSchema } from '#contract/account/session-list.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession } from '#src/lib/session-store.ts'

export const sessionListQuery = apiQueryOptions('users/me/sessions', {
  queryKey: ['users', 'sessions'],
  schema: sessionListSchema,
  select: ({ sessions }) => sessions,
  staleTime: 10_000,
})

export const endOtherSession = (id: string): Promise<undefined> =>
  invalidateAfter(
    sendApiRequest(`users/me/sessions/${encodeURIComponent(id)}/`, { method: 'delete' }),
    sessionListQuery.queryKey,
  )

export async function endAllSessions(): Promise<void> {
  await sendApiRequest('users/me/sessions/end-all/', { method: 'post' })
  endSession('logout')
}

export function refreshSessionList(): void {
  void queryClient.invalidateQueries({ queryKey: sessionListQuery.queryKey })
}
