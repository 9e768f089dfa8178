import {
  type InferDataFromTag,
  type MutationOptions,
  mutationOptions,
  partialMatchKey,
  type Query,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { beginCacheTagChanges, type CacheTag, clearCacheTagStates, endCacheTagChanges } from './cache-tags.ts'
import {
  AbandonedChangeError,
  getIdempotencyKey,
  OFFLINE_QUEUE_MUTATION_OPTIONS,
  offlinePersistedMutations,
  type UntypedMutation,
} from './change-keys.ts'
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
  /** Changes with the same scope are sent one after another; without a scope they run in parallel. */
  readonly scope?: string
  /**
   * Returns true if `later` must wait for the response to `earlier`, for orderings that a scope cannot express. Both
   * are variables of this kind of change.
   */
  readonly mustWaitFor?: (later: Variables, earlier: Variables) => boolean
  readonly send: (variables: Variables, call: SendChangeFn) => Promise<Answer>
  readonly tags: (variables: Variables) => readonly CacheTag[]
  /** Messages that the layout shows. If absent, the caller must report the result. */
  readonly message?: ChangeResultMessages
  /**
   * Resends the change when the session ended before the response and the same user logs in again. The change must be
   * idempotent.
   */
  readonly isResumed?: boolean
  /**
   * Keeps the change pending and visible while the server is unreachable. It is sent in order after reconnecting, even
   * if the tab was closed (shell/installed-app/start-persisting-queued-changes.ts), and only a refusal is reported.
   * Requires `isResumed` and server-side idempotency keys. `by itself`: `send` implements the queueing and resolves
   * only with a response.
   */
  readonly queuesOffline?: boolean | 'by itself'
}

type AnyChange = ChangeDefinition<object, unknown>
export type ChangeMutationOptions<Variables, Answer> = MutationOptions<Answer, Error, Variables>

const CHANGES_KEY = 'changes'
const mutations = queryClient.getMutationCache()

/**
 * Turns the warning before the tab closes on or off. Call this after adding to `offlinePersistedMutations`, because
 * persisted changes need no warning.
 */
export const updateTabCloseWarning = (): void => setTabCloseWarning(unsafeCount())
const unsafeCount = () => listPendingMutations().filter((mutation) => !offlinePersistedMutations.has(mutation)).length

/**
 * Defines an optimistic change. The cached entries always contain server state; while the change is pending, every read
 * overlays the change on them. A confirmed change is applied to the entries; a refused one is discarded.
 */
export function defineOptimisticChange<Variables extends object, Answer>(
  change: ChangeDefinition<Variables, Answer>,
): ChangeMutationOptions<Variables, Answer> {
  return mutationOptions<Answer, Error, Variables>({
    mutationKey: [CHANGES_KEY, change.name],
    ...(change.scope === undefined ? {} : { scope: { id: change.scope } }),
    meta: { change },
    ...(change.queuesOffline === true ? OFFLINE_QUEUE_MUTATION_OPTIONS : {}),
    mutationFn: async (variables) => {
      if (change.mustWaitFor) await waitForEarlier(variables, change as unknown as AnyChange)
      if (change.queuesOffline !== true) return await change.send(variables, sendChange)
      const mutation = listPendingMutations([CHANGES_KEY, change.name]).find(
        ({ state }) => state.variables === variables,
      )
      // Another user has logged in since this change was queued.
      if (!mutation) throw new AbandonedChangeError()
      const idempotencyKey = getIdempotencyKey(mutation)
      return await change.send(variables, (path, options) =>
        sendChange(path, { ...options, idempotencyKey } as typeof options),
      )
    },
    // Cancel reads that started before the response, because they would return stale data.
    onSuccess: (_response, variables) => cancelReads(change.layers.map((layer) => keyOf(layer, variables))),
  })
}

/** Runs a change outside a component. Rejects with the server's error; never settles if the session ends first. */
export function runOptimisticChange<Variables, Answer>(
  options: ChangeMutationOptions<Variables, Answer>,
  variables: Variables,
): Promise<Answer> {
  return mutations.build(queryClient, options).execute(variables)
}

type DataOf<Options extends { readonly queryKey: QueryKey }> = InferDataFromTag<unknown, Options['queryKey']>

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

export function listPendingMutations(mutationKey: QueryKey = [CHANGES_KEY]): UntypedMutation[] {
  return mutations.findAll({ mutationKey, status: 'pending' }) as unknown as UntypedMutation[]
}

export const getOptimisticChangeForMutation = (mutation: UntypedMutation) =>
  mutation.meta?.change as AnyChange | undefined
const keyOf = <Variables>({ key }: ChangeLayer<Variables, never>, variables: Variables) =>
  typeof key === 'function' ? key(variables) : key

function layersOver(queryKey: QueryKey, mutation: UntypedMutation) {
  const { variables } = mutation.state
  const layers = (variables && getOptimisticChangeForMutation(mutation)?.layers) ?? []
  return layers.filter((layer) => partialMatchKey(queryKey, keyOf(layer, variables!)))
}

/** Returns the ids of the pending changes over an entry, as a string so that React compares it by value. */
function idsOver(queryKey: QueryKey, except?: UntypedMutation): string {
  return listPendingMutations()
    .filter((mutation) => mutation !== except && layersOver(queryKey, mutation).length > 0)
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
  const mutationKey = [CHANGES_KEY, name]
  const changes = listPendingMutations(mutationKey)
  const index = changes.findIndex(({ state }) => state.variables === variables)
  const earlier = changes.slice(0, index).filter(({ state }) => mustWaitFor?.(variables, state.variables!))
  await Promise.all(earlier.map(waitUntilSettled))
  if (!listPendingMutations(mutationKey).includes(changes[index]!)) throw new AbandonedChangeError()
}

function waitUntilSettled(mutation: UntypedMutation): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribeToPendingChanges(() => {
      if (listPendingMutations().includes(mutation)) return
      stop()
      resolve()
    })
  })
}

/** Reads that were cancelled because of a change. They are refetched once no pending change affects them. */
const cancelled = new Set<Query>()

async function cancelReads(keys: readonly QueryKey[]): Promise<void> {
  const predicate = (query: Query) =>
    // An initial read has no earlier data to fall back on, so it is never cancelled.
    query.state.data !== undefined &&
    query.state.fetchStatus !== 'idle' &&
    keys.some((key) => partialMatchKey(query.queryKey, key))
  for (const query of queryClient.getQueryCache().findAll({ predicate })) cancelled.add(query)
  await queryClient.cancelQueries({ predicate })
}

function refetchCancelled() {
  const queries = [...cancelled].filter(({ queryKey }) => idsOver(queryKey) === '')
  for (const query of queries) cancelled.delete(query)
  if (queries.length > 0)
    void queryClient.invalidateQueries({ predicate: (query) => queries.includes(query) }, { cancelRefetch: false })
}

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
const rerun = (change: AnyChange, variables: object, message: ChangeResultMessages | undefined) =>
  runOptimisticChange(defineOptimisticChange(message ? { ...change, message } : change), variables).catch(ignore)

function handlePending(mutation: UntypedMutation, change: AnyChange, variables: object) {
  if (change.queuesOffline) getIdempotencyKey(mutation)
  beginCacheTagChanges(change.tags(variables))
  const { done: doneText } = change.message ?? {}
  if (doneText === undefined) return
  const layer = change.layers.find(({ undo }) => undo !== undefined)
  const key = layer && keyOf(layer, variables)
  const cached = key && queryClient.getQueryData(key)
  const previous = cached === undefined ? undefined : overlay(key!, cached, idsOver(key!, mutation))
  const inverse = previous === undefined ? undefined : layer!.undo!(previous as never, variables)
  const undo = inverse && (() => void rerun(change, inverse, { failed: 'เลิกทำไม่สำเร็จ' }))
  publishChangeNotice({ kind: 'done', change: mutation, text: doneText, undo })
}

function handleError(mutation: UntypedMutation, { message }: AnyChange, variables: object, error: Error) {
  probeConnectionAfterFailure(error)
  if (!message) return
  const retry = () => void runOptimisticChange(mutation.options, variables).catch(ignore)
  publishChangeNotice({ kind: 'failed', change: mutation, text: message.failed, error, retry })
}

/** Changes whose session ended before the server responded. */
let unsent: readonly { readonly owner: string | undefined; readonly mutation: UntypedMutation }[] = []
let owner = getSessionOwner(getCurrentSession())

const watchers = new Set<() => void>()
export function subscribeToPendingChanges(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

mutations.subscribe((event) => {
  const mutation = event.mutation as UntypedMutation | undefined
  const change = mutation && getOptimisticChangeForMutation(mutation)
  const variables = mutation?.state.variables
  if (!mutation || !change || !variables) return
  if (event.type === 'removed') {
    if (mutation.state.status !== 'pending') return
    endCacheTagChanges(change.tags(variables), 'abandoned')
    if (change.isResumed && !offlinePersistedMutations.has(mutation)) unsent = [...unsent, { owner, mutation }]
  } else if (event.type === 'updated') {
    const { action } = event
    if (!mutations.getAll().includes(event.mutation)) {
      if (action.type === 'success') unsent = unsent.filter((entry) => entry.mutation !== mutation)
      return
    }
    // Update entry and overlay in one step, so that no render shows the change twice or not at all.
    if (action.type === 'pending') handlePending(mutation, change, variables)
    else if (action.type === 'failed') probeConnectionAfterFailure(action.error)
    else if (action.type === 'success') commit(change, variables, action.data)
    else if (action.type === 'error') handleError(mutation, change, variables, action.error)
    else return
    if (action.type === 'success' || action.type === 'error')
      endCacheTagChanges(change.tags(variables), action.type === 'success' ? 'confirmed' : 'failed')
    refetchCancelled()
  } else return
  setTabCloseWarning(unsafeCount())
  for (const watcher of [...watchers]) watcher()
})

subscribeToSession((session) => {
  const nextOwner = getSessionOwner(session)
  if (nextOwner === owner) return
  // Never overlay one user's changes on another's entries.
  mutations.clear()
  clearCacheTagStates()
  cancelled.clear()
  owner = nextOwner
  if (nextOwner === undefined) return
  const toResend = unsent.filter((entry) => entry.owner === nextOwner)
  unsent = []
  for (const { mutation } of toResend) {
    const change = getOptimisticChangeForMutation(mutation)!
    void rerun(change, mutation.state.variables!, change.message && { failed: change.message.failed })
  }
})
