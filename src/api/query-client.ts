import { QueryClient } from '@tanstack/react-query'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { isWorthRetrying } from './problem-error.ts'

/** Most times a read is asked again after the first try. */
const RETRIES = 2

/** The one cache of server data. /login does without it, so it is loaded with the first screen that needs it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      // An offline device gets the error with "try again" rather than a wait without end.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

let owner = ownerOf(currentSession())
// Nothing of one user may be shown to the next. Leaving empties the cache; when another tab has brought another user in,
// what is on screen is asked for again under the new session.
watchSession((session) => {
  const next = ownerOf(session)
  if (next === owner) return
  owner = next
  if (!session) return queryClient.clear()
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
})
