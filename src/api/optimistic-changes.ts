import {
  hydrate,
  type InferDataFromTag,
  type Mutation,
  type MutationOptions,
  mutationOptions,
  partialMatchKey,
  type Query,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isServerUnreachableError } from '#src/lib/problem-error.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { createExternalStore, nextNotification } from '#src/lib/store.ts'
import { type CacheTag, cancelCacheTagRefetches, settleCacheTags } from './cache-tags.ts'
import { publishChangeNotice } from './change-notice.ts'
import { probeConnectionAfterFailure } from './http/connection.ts'
import { queryClient } from './http/query-client.ts'
import { type SendChangeFn, sendChange, setTabCloseWarning } from './send-change.ts'

/**
 * Effect of a change on one cached entry, or on every entry whose key starts with `key`. Only the functions know the
 * type of the entry; `never` allows effects on entries of different types in one list.
 */
type ChangeLayer<Variables, Answer> = {
  readonly key: QueryKey | ((variables: Variables) => QueryKey)
  /** Returns the entry with the change applied. Must be pure: it runs on every read while the change is pending. */
  apply(cached: never, variables: Variables): unknown
  /** Returns the entry after the server's response. If absent, `apply` is used, so the response may be empty. */
  settle?(cached: never, response: Answer, variables: Variables): unknown
  undo?(before: never, variables: Variables): Variables | undefined
}

export type ChangeResultMessages = {
  /** Prefix of the error message, e.g. `ติดดาวไม่สำเร็จ`; the reason follows. */
  readonly failed: string
  /** Text of the success toast, which has an undo button for ten seconds. If absent, no toast is shown. */
  readonly done?: string | undefined
}

type ChangeDefinition<Variables, Answer> = {
  readonly name: string
  readonly layers: readonly ChangeLayer<Variables, Answer>[]
  /** Changes of one scope are sent in order, so that an undo cannot overtake its change; without one, in parallel. */
  readonly scope?: string
  /**
   * Returns true if `later` must wait for the response to `earlier`. A scope cannot express this, because its id is
   * fixed: a selection of rows overlaps some changes of single rows, and other rows must not wait (user-patches.test.tsx).
   */
  readonly mustWaitFor?: (later: Variables, earlier: Variables) => boolean
  readonly send: (variables: Variables, call: SendChangeFn) => Promise<Answer>
  readonly tags: (variables: Variables) => readonly CacheTag[]
  /** Messages that the layout shows. If absent, the caller must report the result. */
  readonly message?: ChangeResultMessages
  /** Resends the change, which must be idempotent, if the session ended before the response and the user returns. */
  readonly isResumed?: boolean
  /**
   * Keeps the change pending and visible while the server is unreachable. It is sent in order after reconnecting, even
   * if the tab was closed (shell/installed-app/start-persisting-queued-changes.ts), and only a refusal is reported.
   * Requires `isResumed`, and an effect that repetition does not change, for example by server-side idempotency keys.
   */
  readonly queuesOffline?: boolean
  /** Failures after which a change that `queuesOffline` stays pending; by default those of an unreachable server. */
  readonly isRetried?: (error: Error) => boolean
}

type AnyChange = ChangeDefinition<object, unknown>
type ChangeRun = {
  readonly message?: ChangeResultMessages | undefined
  readonly queuesOffline?: boolean | undefined
}
type ChangeMeta = ChangeRun & {
  readonly change: AnyChange
  readonly idempotencyKey?: string
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ChangeMeta
  }
}

export type PendingMutation = Mutation<unknown, Error, object>
export type ChangeMutationOptions<Variables, Answer> = MutationOptions<Answer, Error, Variables>

/** Thrown instead of sending a change of a user who has logged out meanwhile. */
export class AbandonedChangeError extends Error {
  override readonly name = 'AbandonedChangeError'
}

const CHANGES_KEY = 'changes'
const mutations = queryClient.getMutationCache()

const SENT_ONCE = { networkMode: 'always', retry: false } as const

/** Idempotency keys of changes that are stored on this device until the server answers. */
export const persistedChangeKeys = new Set<string>()
const isPersisted = ({ meta }: PendingMutation) =>
  meta?.idempotencyKey !== undefined && persistedChangeKeys.has(meta.idempotencyKey)

/** Warns before the tab closes unless all changes are persisted. Call after adding to `persistedChangeKeys`. */
export const updateTabCloseWarning = (): void =>
  setTabCloseWarning(listPendingMutations().filter((mutation) => !isPersisted(mutation)).length)

/**
 * Defines an optimistic change as a mutation, after TanStack's "updating via the UI": the cached entries always contain
 * server state, and while the mutation is pending, every read overlays its variables on them. A confirmed change is
 * written to the entries. A refused one needs no rollback, so it cannot take back a neighbouring change as restoring a
 * snapshot would.
 */
export function defineOptimisticChange<Variables extends object, Answer>(
  change: ChangeDefinition<Variables, Answer>,
): ChangeMutationOptions<Variables, Answer> {
  const mutationKey = [CHANGES_KEY, change.name]
  const { message, queuesOffline, isRetried = isServerUnreachableError } = change
  const anyChange = change as unknown as AnyChange
  const options: ChangeMutationOptions<Variables, Answer> = mutationOptions<Answer, Error, Variables>({
    mutationKey,
    ...(change.scope === undefined ? {} : { scope: { id: change.scope } }),
    ...(queuesOffline
      ? { networkMode: 'offlineFirst', retry: (_failures: number, error: Error) => isRetried(error) }
      : SENT_ONCE),
    meta: { change: anyChange, message, queuesOffline },
    mutationFn: async (variables, { meta }) => {
      if (change.mustWaitFor) await waitForEarlier(variables, anyChange)
      const idempotencyKey = meta?.queuesOffline ? meta.idempotencyKey : undefined
      const call: SendChangeFn = (path, request) =>
        sendChange(path, { ...request, ...(idempotencyKey && { idempotencyKey }) } as typeof request)
      return await change.send(variables, call).catch((error: unknown) => {
        probeConnectionAfterFailure(error)
        throw error
      })
    },
    onMutate: (variables, { meta }) => publishDone(options, variables, meta!),
    onSuccess: (response, variables) => {
      const wasReading = cancelReads(change.layers.map((layer) => keyOf(layer, variables)))
      commit(anyChange, variables, response)
      settleCacheTags(change.tags(variables), wasReading)
    },
    onError: (error, variables, _context, { meta }) => {
      publishFailure(options, variables, meta!, error)
      // The server may have applied the change before its response was lost.
      settleCacheTags(change.tags(variables), true)
    },
  })
  // For `resumeChanges`, because functions cannot be stored.
  queryClient.setMutationDefaults(mutationKey, options)
  return options
}

/**
 * Runs a change outside a component, with messages or queueing other than in its definition. Rejects with the server's
 * error; never settles if the session ends first.
 */
export function runOptimisticChange<Variables, Answer>(
  options: ChangeMutationOptions<Variables, Answer>,
  variables: Variables,
  run: ChangeRun = {},
): Promise<Answer> {
  const meta = { ...options.meta!, ...run }
  // A change of an ended session has its key in `options`.
  const idempotencyKey = meta.queuesOffline ? { idempotencyKey: crypto.randomUUID() } : {}
  const network = meta.queuesOffline === false ? SENT_ONCE : {}
  return mutations
    .build(queryClient, { ...options, ...network, meta: { ...idempotencyKey, ...meta } })
    .execute(variables)
}

export type StoredChange = {
  readonly name: string
  readonly variables: object
  readonly failed: string
  readonly madeAtMs: number
}

/** Resumes changes that an earlier page left pending, in order, by their idempotency keys. */
export function resumeChanges(changes: ReadonlyMap<string, StoredChange>): void {
  for (const [idempotencyKey, { name, variables, failed, madeAtMs }] of changes) {
    const mutationKey = [CHANGES_KEY, name]
    const { meta } = queryClient.getMutationDefaults(mutationKey)
    if (!meta) continue
    const progress = { context: undefined, data: undefined, error: null, failureCount: 0, failureReason: null }
    const state = { ...progress, isPaused: true, status: 'pending', variables, submittedAt: madeAtMs } as const
    hydrate(queryClient, {
      mutations: [{ mutationKey, state, meta: { ...meta, message: { failed }, idempotencyKey } }],
    })
  }
  void queryClient.resumePausedMutations()
}

type DataOf<Options extends { readonly queryKey: QueryKey }> = InferDataFromTag<unknown, Options['queryKey']>

/** Not with `useMutationState`, which notifies in a timer: a star fills within its click (star-button.test.tsx). */
export function useOptimisticQueryOptions<Options extends { readonly queryKey: QueryKey }>(options: Options) {
  const { queryKey } = options
  const ids = useSyncExternalStore(subscribeToPendingChanges, () => idsOver(queryKey))
  const select = useCallback(<Cached>(cached: Cached): Cached => overlay(queryKey, cached, ids), [queryKey, ids])
  return { ...options, select: select as (cached: DataOf<Options>) => DataOf<Options> }
}

/** Returns the cached entry with pending changes, for use outside rendering; undefined if not cached. */
export function getOptimisticQueryData<Cached>(queryKey: QueryKey): Cached | undefined {
  const cached = queryClient.getQueryData<Cached>(queryKey)
  return cached === undefined ? undefined : overlay(queryKey, cached, idsOver(queryKey))
}

export function listPendingChanges<Variables, Answer>({
  mutationKey,
}: ChangeMutationOptions<Variables, Answer>): Variables[] {
  return listPendingMutations(mutationKey).map(({ state }) => state.variables as Variables)
}

function listPendingMutations(mutationKey: QueryKey = [CHANGES_KEY]): PendingMutation[] {
  return mutations.findAll({ mutationKey, status: 'pending' }) as unknown as PendingMutation[]
}

export const listQueuedMutations = (): PendingMutation[] =>
  listPendingMutations().filter(({ meta }) => meta?.queuesOffline)

const keyOf = <Variables>({ key }: ChangeLayer<Variables, never>, variables: Variables) =>
  typeof key === 'function' ? key(variables) : key

function layersOver(queryKey: QueryKey, { state: { variables }, meta }: PendingMutation) {
  const layers = (variables && meta?.change.layers) ?? []
  return layers.filter((layer) => partialMatchKey(queryKey, keyOf(layer, variables!)))
}

/** Returns the ids of the pending changes over an entry, as a string so that React compares it by value. */
function idsOver(queryKey: QueryKey, except?: object): string {
  return listPendingMutations()
    .filter((mutation) => mutation.state.variables !== except && layersOver(queryKey, mutation).length > 0)
    .map(({ mutationId }) => mutationId)
    .join()
}

function overlay<Cached>(queryKey: QueryKey, cached: Cached, ids: string): Cached {
  if (ids === '') return cached
  const idSet = new Set(ids.split(','))
  let overlaid = cached
  for (const mutation of listPendingMutations().filter(({ mutationId }) => idSet.has(String(mutationId))))
    for (const layer of layersOver(queryKey, mutation))
      overlaid = layer.apply(overlaid as never, mutation.state.variables!) as Cached
  return overlaid
}

/** Resolves when all earlier changes of this name that must precede this one have a response. */
async function waitForEarlier(variables: object, { name, mustWaitFor }: Pick<AnyChange, 'name' | 'mustWaitFor'>) {
  for (;;) {
    const pending = listPendingMutations([CHANGES_KEY, name]).map(({ state }) => state.variables!)
    if (!pending.includes(variables)) throw new AbandonedChangeError()
    if (!pending.slice(0, pending.indexOf(variables)).some((earlier) => mustWaitFor?.(variables, earlier))) return
    await nextNotification(subscribeToPendingChanges)
  }
}

/** Cancels reads that started before a response and would return stale data. Returns whether there were any. */
function cancelReads(keys: readonly QueryKey[]): boolean {
  const predicate = (query: Query) =>
    // An initial read has no earlier data to fall back on, so it is never cancelled.
    query.state.data !== undefined &&
    query.state.fetchStatus !== 'idle' &&
    keys.some((key) => partialMatchKey(query.queryKey, key))
  const hasReads = queryClient.getQueryCache().findAll({ predicate }).length > 0
  void queryClient.cancelQueries({ predicate })
  return hasReads
}

/**
 * Writes a confirmed change to its entries. The mutation is still pending, but no render sees the change twice: the
 * library notifies of entries in a timer, and the mutation succeeds in the same task.
 */
function commit({ layers }: AnyChange, variables: object, response: unknown) {
  for (const layer of layers)
    for (const query of queryClient.getQueryCache().findAll({ queryKey: keyOf(layer, variables) })) {
      const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state
      if (data === undefined) continue
      if (layer.settle)
        queryClient.setQueryData(query.queryKey, layer.settle(data as never, response as never, variables))
      // Preserve the timestamp, because the change does not refresh the rest of the entry.
      else queryClient.setQueryData(query.queryKey, layer.apply(data as never, variables), { updatedAt })
      if (isInvalidated) query.invalidate()
    }
}

const ignore = () => undefined

function publishDone<Variables extends object, Answer>(
  options: ChangeMutationOptions<Variables, Answer>,
  variables: Variables,
  { change, message, queuesOffline }: ChangeMeta,
) {
  if (message?.done === undefined) return
  const layer = change.layers.find(({ undo }) => undo !== undefined)
  const key = layer && keyOf(layer, variables)
  const cached = key && queryClient.getQueryData(key)
  const previous = cached === undefined ? undefined : overlay(key!, cached, idsOver(key!, variables))
  const inverse = previous === undefined ? undefined : layer!.undo!(previous as never, variables)
  const run = { message: { failed: 'เลิกทำไม่สำเร็จ' }, queuesOffline }
  const undo = inverse && (() => void runOptimisticChange(options, inverse as Variables, run).catch(ignore))
  publishChangeNotice({ kind: 'done', change: variables, text: message.done, undo })
}

function publishFailure<Variables extends object, Answer>(
  options: ChangeMutationOptions<Variables, Answer>,
  variables: Variables,
  { message, queuesOffline }: ChangeMeta,
  error: Error,
) {
  if (!message) return
  // A copy, because each pending change is identified by its variables.
  const retry = () => void runOptimisticChange(options, { ...variables }, { message, queuesOffline }).catch(ignore)
  publishChangeNotice({ kind: 'failed', change: variables, text: message.failed, error, retry })
}

type UnsentChange = {
  readonly owner: string | undefined
  readonly options: ChangeMutationOptions<object, unknown>
  readonly variables: object
}
let unsent: readonly UnsentChange[] = []
let owner = getSessionOwner(getCurrentSession())

/** Detaches a change from its callbacks, because its session has ended, and resends it in the user's next one. */
function abandon(mutation: PendingMutation) {
  const { options } = mutation
  const { variables } = mutation.state
  if (!options.meta?.change.isResumed || isPersisted(mutation)) return mutation.setOptions({})
  const change: UnsentChange = { owner, options, variables: variables! }
  unsent = [...unsent, change]
  mutation.setOptions({
    onSuccess: () => {
      unsent = unsent.filter((entry) => entry !== change)
    },
  })
}

/** Only notifies: the pending changes are those of the mutation cache. */
const pendingChanges = createExternalStore(undefined)
export const subscribeToPendingChanges = pendingChanges.subscribe

mutations.subscribe(({ type, mutation }) => {
  if (!mutation?.meta?.change) return
  if (type !== 'removed' && type !== 'updated') return
  if (type === 'removed' && mutation.state.status === 'pending') abandon(mutation)
  updateTabCloseWarning()
  pendingChanges.set(undefined)
})

subscribeToSession((session) => {
  const nextOwner = getSessionOwner(session)
  if (nextOwner === owner) return
  // Never overlay one user's changes on another's entries.
  mutations.clear()
  cancelCacheTagRefetches()
  owner = nextOwner
  if (nextOwner === undefined) return
  const toResend = unsent.filter((entry) => entry.owner === nextOwner)
  unsent = []
  for (const { options, variables } of toResend) {
    const { message, queuesOffline } = options.meta!
    const run = { message: message && { failed: message.failed }, queuesOffline }
    void runOptimisticChange(options, variables, run).catch(ignore)
  }
})
