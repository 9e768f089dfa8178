import { type Query, QueryClient, type QueryExecuteOptions, type QueryKey } from '@tanstack/react-query'
import { isRetryableError, isServerUnreachableError, type ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'

const MAX_RETRIES = 2
/** Maximum Retry-After that a read waits for; beyond it, the read fails. */
const MAX_RETRY_AFTER_S = 60

const retryAfterOf = (error: Error) => (error as Partial<ProblemError>).retryAfterSeconds ?? 0

/** Returns the response, or the stored one if the server is unreachable and nothing is shown yet (decision 0131). */
async function fetchOrStored<Data, Context>(
  fetchData: (context: Context) => Data | Promise<Data>,
  context: Context,
  query: Query,
): Promise<Data> {
  const response = fetchData(context)
  try {
    // If the page itself was loaded offline, a request may hang for minutes, so race it against the stored response.
    if (!('offline' in document.documentElement.dataset)) return await response
  } catch (error) {
    if (query.state.data !== undefined || !isServerUnreachableError(error)) throw error
  }
  const storedResponses = await import('#src/api/offline/stored-responses.ts').catch(() => undefined)
  return (await (storedResponses?.withStoredResponseFallback(Promise.resolve(response), query) ?? response)) as Data
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < MAX_RETRIES && isRetryableError(error) && retryAfterOf(error) <= MAX_RETRY_AFTER_S,
      // Respects Retry-After, with jitter so that tabs do not retry all at once.
      retryDelay: (failures, error) => 1000 * Math.max(2 ** failures, retryAfterOf(error)) * (1 + Math.random() / 4),
      // Sends queries even if the device claims to be offline; connection.ts pauses them while it is down.
      networkMode: 'offlineFirst',
      refetchOnReconnect: true,
      persister: fetchOrStored,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Starts a query before its screen is rendered. Ignores errors, because the screen's own query reports them. */
export function startQueryInBackground<Fn, E, Data, Stored, Key extends QueryKey>(
  client: QueryClient,
  options: QueryExecuteOptions<Fn, E, Data, Stored, Key>,
): void {
  client.query(options).catch(() => undefined)
}

/**
 * Options of queries that check a mailed link or a typed value: one attempt, even if the browser claims to be offline,
 * and neither cached nor refetched, because submitting reports what has changed.
 */
export const ONE_SHOT_QUERY_OPTIONS = { retry: false, networkMode: 'always', staleTime: 'static', gcTime: 0 } as const

let owner = getSessionOwner(getCurrentSession())
// Never show one user's data to another: logout clears the cache, and a login as another user refetches.
subscribeToSession((session) => {
  const nextOwner = getSessionOwner(session)
  if (nextOwner === owner) return
  owner = nextOwner
  if (!session) return queryClient.clear()
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
})
