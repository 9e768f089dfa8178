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
 * What a change makes of one cached entry, or of every entry whose key begins with `key`. The entry's type is that of the given functions:
 * `never` lets layers of different entries stand in one list.
 */
type Layer<Variables, Answer> = {
  readonly key: QueryKey | ((variables: Variables) => QueryKey)
  /** The entry with the change. Pure. It runs at every reading while the change is pending. */
  apply(cached: never, variables: Variables): unknown
  /** The entry after the server's answer. Without it the change itself is applied: then the answer may be empty. */
  settle?(cached: never, answer: Answer, variables: Variables): unknown
  /** The change that takes this one back, given the entry as it was shown before; undefined when nothing changes. */
  undo?(before: never, variables: Variables): Variables | undefined
}

/** What is told about a change, in Thai. */
export type ChangeMessage = {
  /** Begins the message of a failure, e.g. `ติดดาวไม่สำเร็จ`; the reason follows. */
  readonly failed: string
  /** Text of the toast that comes with the change and can take it back for ten seconds. Without a text there is no toast. */
  readonly done?: string | undefined
}

type Change<Variables, Answer> = {
  readonly name: string
  readonly layers: readonly Layer<Variables, Answer>[]
  /** Changes of one scope are sent one after the other, in the order in which they were made. Without it they run in parallel. */
  readonly scope?: string
  /** For order that no scope can express: `later` is sent after `earlier` was answered. Both are changes of this name. */
  readonly mustWaitFor?: (later: Variables, earlier: Variables) => boolean
  /** `call` outlives the tab and survives a renewed token. */
  readonly send: (variables: Variables, call: CallForOwner) => Promise<Answer>
  /** What changes; see cache-tags.ts. */
  readonly tags: (variables: Variables) => readonly Tag[]
  /** Told by the layout. Without it the caller tells. */
  readonly message?: ChangeMessage
  /** Sent again when the session ended before the answer and the same person comes back. Needs a change that may be sent twice. */
  readonly isResumed?: boolean
  /**
   * While nothing answers it waits, stands on the screen and is sent in its order when the server is back, also after the tab was closed (api/offline/outbox.ts): a word
   * is said of a refusal alone. Needs `isResumed`, and a server that knows a change by its key. `by itself`: `send` ends with an answer alone.
   */
  readonly waits?: boolean | 'by itself'
}

type AnyChange = Change<object, unknown>
/** For `useMutation` in a component, for `mutate` outside. */
export type ChangeOptions<Variables, Answer> = MutationOptions<Answer, Error, Variables>

const KEY = 'changes'
const mutations = queryClient.getMutationCache()

/** After a change was put into `keptChanges`: its tab may be closed without a question. */
export const updateTabGuard = (): void => guardTab(unsafeCount())
const unsafeCount = () => pendingMutations().filter((mutation) => !keptChanges.has(mutation)).length

/**
 * An optimistic change. While it is pending it is laid over the cached entries at every reading; the entries themselves stay the server's
 * word. A change that the server confirms is applied to the entries. A change that it refuses only leaves.
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
      // It has waited, and somebody else is here by now.
      if (!mutation) throw new AbandonedChangeError()
      const idempotencyKey = changeKey(mutation)
      return await change.send(variables, (path, options) =>
        callForOwner(path, { ...options, idempotencyKey } as typeof options),
      )
    },
    // A read that began before the answer would bring the older state.
    onSuccess: (_answer, variables) => cancelReads(change.layers.map((layer) => keyOf(layer, variables))),
  })
}

/** Makes a change outside of a component. Rejects with what the server says; never settles when the session ends first. */
export function mutate<Variables, Answer>(
  options: ChangeOptions<Variables, Answer>,
  variables: Variables,
): Promise<Answer> {
  return mutations.build(queryClient, options).execute(variables)
}

type DataOf<Options extends { readonly queryKey: QueryKey }> = InferDataFromTag<unknown, Options['queryKey']>

/** Query options whose data is what the screen shows: the entry with the pending changes. */
export function useOverlaid<Options extends { readonly queryKey: QueryKey }>(options: Options) {
  const { queryKey } = options
  const ids = useSyncExternalStore(watchChanges, () => idsOver(queryKey))
  const select = useCallback(<Cached>(cached: Cached): Cached => overlay(queryKey, cached, ids), [queryKey, ids])
  return { ...options, select: select as (cached: DataOf<Options>) => DataOf<Options> }
}

/** The entry as the screen shows it, for what happens between two drawings; undefined while it is not cached. */
export function overlaidData<Cached>(queryKey: QueryKey): Cached | undefined {
  const cached = queryClient.getQueryData<Cached>(queryKey)
  return cached === undefined ? undefined : overlay(queryKey, cached, idsOver(queryKey))
}

/** What is pending of a change, the oldest first. */
export function pendingChanges<Variables, Answer>({ mutationKey }: ChangeOptions<Variables, Answer>): Variables[] {
  return pendingMutations(mutationKey).map(({ state }) => state.variables as Variables)
}

export function pendingMutations(mutationKey: QueryKey = [KEY]): AnyMutation[] {
  return mutations.findAll({ mutationKey, status: 'pending' }) as unknown as AnyMutation[]
}

export const changeOf = (mutation: AnyMutation) => mutation.meta?.change as AnyChange | undefined
const keyOf = <Variables>({ key }: Layer<Variables, never>, variables: Variables) =>
  typeof key === 'function' ? key(variables) : key

/** The layers of a mutation that lie over this entry. */
function layersOver(queryKey: QueryKey, mutation: AnyMutation) {
  const { variables } = mutation.state
  const layers = (variables && changeOf(mutation)?.layers) ?? []
  return layers.filter((layer) => partialMatchKey(queryKey, keyOf(layer, variables!)))
}

/** Names the pending changes over an entry. A text, so that React can compare it. */
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

/** Resolves when every earlier change of this name that this one must wait for was answered. */
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

/** Reads that were cancelled for a change. They are asked again when no change lies over them. */
const cancelled = new Set<Query>()

async function cancelReads(keys: readonly QueryKey[]): Promise<void> {
  const predicate = (query: Query) =>
    // A first read has nothing to fall back on.
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
      // The change says nothing about the age of the rest.
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

/** Changes whose session ended before their answer. */
let unsent: readonly { readonly owner: string | undefined; readonly mutation: AnyMutation }[] = []
let owner = ownerOf(currentSession())

const watchers = new Set<() => void>()
/** Tells of every change that begins or ends, until the function that it returns is called. */
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
      // The answer came after the session had ended.
      if (action.type === 'success') unsent = unsent.filter((one) => one.mutation !== mutation)
      return
    }
    // The entry and the overlay change in one step: no drawing shows the change twice or not at all.
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
  // Nothing of one user may be laid over the entries of the next.
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
