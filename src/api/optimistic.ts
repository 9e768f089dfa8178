import {
  type InferDataFromTag,
  type MutationOptions,
  mutationOptions,
  partialMatchKey,
  type Query,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { beginTags, clearTags, endTags, type Tag } from './cache-tags.ts'
import { AbandonedChangeError, type AnyMutation, changeKey, keptChanges, WAITING } from './change-keys.ts'
import { publishChangeNews } from './change-news.ts'
import { suspectConnection } from './http/connection.ts'
import { queryClient } from './http/query-client.ts'
import { type CallForOwner, callForOwner, guardTab } from './outliving-calls.ts'

/**
 * Effect of a change on one cached entry, or on every entry whose key starts with `key`. The entry's type is only known
 * inside the functions; `never` allows layers of different entries in one list.
 */
type Layer<Variables, Answer> = {
  readonly key: QueryKey | ((variables: Variables) => QueryKey)
  /** Returns the entry with the change applied. Must be pure: it runs on every read while the change is pending. */
  apply(cached: never, variables: Variables): unknown
  /** Returns the entry after the server's response. Without it `apply` is used, so the response may be empty. */
  settle?(cached: never, answer: Answer, variables: Variables): unknown
  /** Returns the inverse change, given the entry before; undefined if nothing changes. */
  undo?(before: never, variables: Variables): Variables | undefined
}

export type ChangeMessage = {
  /** Prefix of the error message, e.g. `ติดดาวไม่สำเร็จ`; the reason follows. */
  readonly failed: string
  /** Text of the toast with an undo button for ten seconds; no toast without it. */
  readonly done?: string | undefined
}

type Change<Variables, Answer> = {
  readonly name: string
  readonly layers: readonly Layer<Variables, Answer>[]
  /** Changes of one scope are sent sequentially in order. Without it they run in parallel. */
  readonly scope?: string
  /**
   * Ordering that a scope cannot express: `later` is sent only after `earlier` was answered. Both are changes of this
   * name.
   */
  readonly mustWaitFor?: (later: Variables, earlier: Variables) => boolean
  /** `call` survives closing the tab and a token renewal. */
  readonly send: (variables: Variables, call: CallForOwner) => Promise<Answer>
  /** Affected tags; see cache-tags.ts. */
  readonly tags: (variables: Variables) => readonly Tag[]
  /** Shown by the layout. Without it the caller reports the result. */
  readonly message?: ChangeMessage
  /** Resend if the session ended before the response and the same user returns. The change must be idempotent. */
  readonly isResumed?: boolean
  /**
   * While the server is unreachable the change stays pending and visible, and is sent in order after reconnecting, even
   * if the tab was closed (api/offline/outbox.ts); only a refusal is reported. Requires `isResumed` and server-side
   * idempotency keys. `by itself`: `send` handles the waiting and resolves only with a response.
   */
  readonly waits?: boolean | 'by itself'
}

type AnyChange = Change<object, unknown>
export type ChangeOptions<Variables, Answer> = MutationOptions<Answer, Error, Variables>

const KEY = 'changes'
const mutations = queryClient.getMutationCache()

/** Call after adding to `keptChanges`: the tab may then close without a warning. */
export const updateTabGuard = (): void => guardTab(unsafeCount())
const unsafeCount = () => pendingMutations().filter((mutation) => !keptChanges.has(mutation)).length

/**
 * Defines an optimistic change. While pending it is overlaid on cached entries on every read; the entries themselves
 * always contain server state. A confirmed change is applied to the entries, a refused one is dropped.
 */
export function defineChange<Variables extends object, Answer>(
  change: Change<Variables, Answer>,
): ChangeOptions<Variables, Answer> {
  return mutationOptions<Answer, Error, Variables>({
    mutationKey: [KEY, change.name],
    ...(change.scope === undefined ? {} : { scope: { id: change.scope } }),
    meta: { change },
    ...(change.waits === true ? WAITING : {}),
    mutationFn: async (variables) => {
      if (change.mustWaitFor) await turnOf(variables, change as unknown as AnyChange)
      if (change.waits !== true) return await change.send(variables, callForOwner)
      const mutation = pendingMutations([KEY, change.name]).find(({ state }) => state.variables === variables)
      // The user changed while it was queued.
      if (!mutation) throw new AbandonedChangeError()
      const idempotencyKey = changeKey(mutation)
      return await change.send(variables, (path, options) =>
        callForOwner(path, { ...options, idempotencyKey } as typeof options),
      )
    },
    // A read started before the response would return stale data.
    onSuccess: (_answer, variables) => cancelReads(change.layers.map((layer) => keyOf(layer, variables))),
  })
}

/** Runs a change outside a component. Rejects with the server's error; never settles if the session ends first. */
export function mutate<Variables, Answer>(
  options: ChangeOptions<Variables, Answer>,
  variables: Variables,
): Promise<Answer> {
  return mutations.build(queryClient, options).execute(variables)
}

type DataOf<Options extends { readonly queryKey: QueryKey }> = InferDataFromTag<unknown, Options['queryKey']>

/** Returns query options whose data includes pending changes. */
export function useOverlaid<Options extends { readonly queryKey: QueryKey }>(options: Options) {
  const { queryKey } = options
  const ids = useSyncExternalStore(watchChanges, () => idsOver(queryKey))
  const select = useCallback(<Cached>(cached: Cached): Cached => overlay(queryKey, cached, ids), [queryKey, ids])
  return { ...options, select: select as (cached: DataOf<Options>) => DataOf<Options> }
}

/** Returns the cached entry with pending changes, for use outside rendering; undefined if not cached. */
export function overlaidData<Cached>(queryKey: QueryKey): Cached | undefined {
  const cached = queryClient.getQueryData<Cached>(queryKey)
  return cached === undefined ? undefined : overlay(queryKey, cached, idsOver(queryKey))
}

/** Returns the variables of pending changes of this kind, oldest first. */
export function pendingChanges<Variables, Answer>({ mutationKey }: ChangeOptions<Variables, Answer>): Variables[] {
  return pendingMutations(mutationKey).map(({ state }) => state.variables as Variables)
}

export function pendingMutations(mutationKey: QueryKey = [KEY]): AnyMutation[] {
  return mutations.findAll({ mutationKey, status: 'pending' }) as unknown as AnyMutation[]
}

export const changeOf = (mutation: AnyMutation) => mutation.meta?.change as AnyChange | undefined
const keyOf = <Variables>({ key }: Layer<Variables, never>, variables: Variables) =>
  typeof key === 'function' ? key(variables) : key

function layersOver(queryKey: QueryKey, mutation: AnyMutation) {
  const { variables } = mutation.state
  const layers = (variables && changeOf(mutation)?.layers) ?? []
  return layers.filter((layer) => partialMatchKey(queryKey, keyOf(layer, variables!)))
}

/** Returns the ids of the pending changes over an entry, as a string so that React compares it by value. */
function idsOver(queryKey: QueryKey, except?: AnyMutation): string {
  return pendingMutations()
    .filter((mutation) => mutation !== except && layersOver(queryKey, mutation).length > 0)
    .map(({ mutationId }) => mutationId)
    .join()
}

function overlay<Cached>(queryKey: QueryKey, cached: Cached, ids: string): Cached {
  if (ids === '') return cached
  const wanted = new Set(ids.split(','))
  let shown = cached
  for (const mutation of pendingMutations().filter(({ mutationId }) => wanted.has(String(mutationId))))
    for (const layer of layersOver(queryKey, mutation))
      shown = layer.apply(shown as never, mutation.state.variables!) as Cached
  return shown
}

/** Resolves when all earlier changes of this name that must precede it are answered. */
async function turnOf(variables: object, { name, mustWaitFor }: Pick<AnyChange, 'name' | 'mustWaitFor'>) {
  const mutationKey = [KEY, name]
  const changes = pendingMutations(mutationKey)
  const mine = changes.findIndex(({ state }) => state.variables === variables)
  const before = changes.slice(0, mine).filter(({ state }) => mustWaitFor?.(variables, state.variables!))
  await Promise.all(before.map(isThrough))
  if (!pendingMutations(mutationKey).includes(changes[mine]!)) throw new AbandonedChangeError()
}

function isThrough(mutation: AnyMutation): Promise<void> {
  return new Promise((resolve) => {
    const stop = watchChanges(() => {
      if (pendingMutations().includes(mutation)) return
      stop()
      resolve()
    })
  })
}

/** Reads cancelled because of a change; refetched when no pending change covers them. */
const cancelled = new Set<Query>()

async function cancelReads(keys: readonly QueryKey[]): Promise<void> {
  const predicate = (query: Query) =>
    // An initial read has no earlier data to show.
    query.state.data !== undefined &&
    query.state.fetchStatus !== 'idle' &&
    keys.some((key) => partialMatchKey(query.queryKey, key))
  for (const query of queryClient.getQueryCache().findAll({ predicate })) cancelled.add(query)
  await queryClient.cancelQueries({ predicate })
}

function askCancelledAgain() {
  const again = [...cancelled].filter(({ queryKey }) => idsOver(queryKey) === '')
  for (const query of again) cancelled.delete(query)
  if (again.length > 0)
    void queryClient.invalidateQueries({ predicate: (query) => again.includes(query) }, { cancelRefetch: false })
}

function land({ layers }: AnyChange, variables: object, answer: unknown) {
  for (const layer of layers)
    for (const query of queryClient.getQueryCache().findAll({ queryKey: keyOf(layer, variables) })) {
      const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state
      if (data === undefined) continue
      if (layer.settle)
        queryClient.setQueryData(query.queryKey, layer.settle(data as never, answer as never, variables))
      // Preserve the timestamp: the change does not refresh the rest of the entry.
      else queryClient.setQueryData(query.queryKey, layer.apply(data as never, variables), { updatedAt })
      if (isInvalidated) query.invalidate()
    }
}

const ignore = () => undefined
const repeat = (change: AnyChange, variables: object, message: ChangeMessage | undefined) =>
  mutate(defineChange(message ? { ...change, message } : change), variables).catch(ignore)

function begin(mutation: AnyMutation, change: AnyChange, variables: object) {
  if (change.waits) changeKey(mutation)
  beginTags(change.tags(variables))
  const { done } = change.message ?? {}
  if (done === undefined) return
  const layer = change.layers.find(({ undo }) => undo !== undefined)
  const key = layer && keyOf(layer, variables)
  const cached = key && queryClient.getQueryData(key)
  const before = cached === undefined ? undefined : overlay(key!, cached, idsOver(key!, mutation))
  const inverse = before === undefined ? undefined : layer!.undo!(before as never, variables)
  const undo = inverse && (() => void repeat(change, inverse, { failed: 'เลิกทำไม่สำเร็จ' }))
  publishChangeNews({ kind: 'done', change: mutation, text: done, undo })
}

function fail(mutation: AnyMutation, { message }: AnyChange, variables: object, error: Error) {
  suspectConnection(error)
  if (!message) return
  const retry = () => void mutate(mutation.options, variables).catch(ignore)
  publishChangeNews({ kind: 'failed', change: mutation, text: message.failed, error, retry })
}

/** Changes whose session ended before the response. */
let unsent: readonly { readonly owner: string | undefined; readonly mutation: AnyMutation }[] = []
let owner = ownerOf(currentSession())

const watchers = new Set<() => void>()
export function watchChanges(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

mutations.subscribe((event) => {
  const mutation = event.mutation as AnyMutation | undefined
  const change = mutation && changeOf(mutation)
  const variables = mutation?.state.variables
  if (!mutation || !change || !variables) return
  if (event.type === 'removed') {
    if (mutation.state.status !== 'pending') return
    endTags(change.tags(variables), 'abandoned')
    if (change.isResumed && !keptChanges.has(mutation)) unsent = [...unsent, { owner, mutation }]
  } else if (event.type === 'updated') {
    const { action } = event
    if (!mutations.getAll().includes(event.mutation)) {
      // The response arrived after the session had ended.
      if (action.type === 'success') unsent = unsent.filter((one) => one.mutation !== mutation)
      return
    }
    // Update entry and overlay in one step, so that no render shows the change twice or not at all.
    if (action.type === 'pending') begin(mutation, change, variables)
    else if (action.type === 'failed') suspectConnection(action.error)
    else if (action.type === 'success') land(change, variables, action.data)
    else if (action.type === 'error') fail(mutation, change, variables, action.error)
    else return
    if (action.type === 'success' || action.type === 'error')
      endTags(change.tags(variables), action.type === 'success' ? 'confirmed' : 'failed')
    askCancelledAgain()
  } else return
  guardTab(unsafeCount())
  for (const watcher of [...watchers]) watcher()
})

watchSession((session) => {
  const next = ownerOf(session)
  if (next === owner) return
  // Never overlay one user's changes on another's entries.
  mutations.clear()
  clearTags()
  cancelled.clear()
  owner = next
  if (next === undefined) return
  const again = unsent.filter((one) => one.owner === next)
  unsent = []
  for (const { mutation } of again) {
    const change = changeOf(mutation)!
    void repeat(change, mutation.state.variables!, change.message && { failed: change.message.failed })
  }
})
