import { type Query, QueryClient, type QueryExecuteOptions, type QueryKey } from '@tanstack/react-query'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { isUnreachable, isWorthRetrying, type ProblemError } from './problem-error.ts'

/** Most times a read is asked again after the first try. */
const RETRIES = 2
/** Asked to wait longer than this, a read fails with that word instead. */
const LONGEST_WAIT_S = 60

const waitOf = (error: Error) => (error as Partial<ProblemError>).retryAfterSeconds ?? 0

/** The server's answer; where none comes and nothing is shown yet, what was kept of it (decision 0131). */
async function answerOrKept<Data, Context>(
  ask: (context: Context) => Data | Promise<Data>,
  context: Context,
  query: Query,
): Promise<Data> {
  const answer = ask(context)
  try {
    // On a page that no network brought, an answer may hang for minutes.
    if (!('offline' in document.documentElement.dataset)) return await answer
  } catch (error) {
    if (query.state.data !== undefined || !isUnreachable(error)) throw error
  }
  const kept = await import('../offline/kept-answers.ts').catch(() => undefined)
  return (await (kept?.answerOrKept(Promise.resolve(answer), query) ?? answer)) as Data
}

/** The one cache of server data. /login does without it, so it is loaded with the first screen that needs it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error) && waitOf(error) <= LONGEST_WAIT_S,
      // When the server says, and not all tabs at the same moment.
      retryDelay: (failures, error) => 1000 * Math.max(2 ** failures, waitOf(error)) * (1 + Math.random() / 4),
      // Tried at once, whatever the device says; once the bar says that nothing answers (connection.ts) it waits for that to end.
      networkMode: 'offlineFirst',
      refetchOnReconnect: true,
      persister: answerOrKept,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * Asks a question whose answer is not there yet, e.g. before the code of the screen has arrived. Nobody waits for it: the screen asks the same
 * question, shares the answer, and says what failed.
 */
export function startQuery<Fn, E, Data, Stored, Key extends QueryKey>(
  options: QueryExecuteOptions<Fn, E, Data, Stored, Key>,
): void {
  void answerOf(options)
}

/** Asks the same way, and resolves when there is an answer or none will come; never rejects. */
export async function answerOf<Fn, E, Data, Stored, Key extends QueryKey>(
  options: QueryExecuteOptions<Fn, E, Data, Stored, Key>,
): Promise<void> {
  await queryClient.query({ ...options, staleTime: 'static' }).catch(() => undefined)
}

/** Of a question that a loader begins and `takeAnswer` takes: one try, also where the browser believes to be offline, and forgotten soon. */
export const ASKED_ONCE = { retry: false, networkMode: 'always', gcTime: 10_000 } as const

/**
 * The answer of such a question to a page that takes it once, without a component that watches it: the answer of what the loader has begun, else
 * of a question of its own. Nothing of it is kept.
 */
export async function takeAnswer<Fn, E, Data, Stored, Key extends QueryKey>(
  options: QueryExecuteOptions<Fn, E, Data, Stored, Key>,
): Promise<Data> {
  try {
    return await queryClient.query({ ...options, staleTime: 'static' })
  } finally {
    queryClient.removeQueries({ queryKey: options.queryKey, exact: true })
  }
}

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
