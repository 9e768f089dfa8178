import { getIdempotencyKey, offlinePersistedMutations } from '#src/api/change-keys.ts'
import { createOfflineStore, type OfflineStore } from '#src/api/offline/offline-store.ts'
import { listQueuedChanges, resumeQueuedChange } from '#src/api/offline/queued-changes.ts'
import { MAX_STORED_RESPONSE_AGE_MS } from '#src/api/offline/stored-response-kinds.ts'
import {
  type ChangeMutationOptions,
  subscribeToPendingChanges,
  updateTabCloseWarning,
} from '#src/api/optimistic-changes.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { morningQueueDecisionMutation } from '#src/report/api/morning-queue-decisions.ts'
import { userPatchMutation } from '#src/report/api/user-patches.ts'
import { pursuitMutation } from '#src/team/api/pursuit-patches.ts'

type StoredChange = {
  readonly owner: string
  /** The tab that sends the change. When that tab closes, another one takes over. */
  readonly tab: string
  readonly name: string
  readonly variables: object
  readonly failed: string
  readonly madeAtMs: number
  /** Position among changes made in the same millisecond. */
  readonly place: number
}

const MUTATION_FACTORIES: Readonly<Record<string, (failed: string) => ChangeMutationOptions<never, unknown>>> = {
  user: (failed) => userPatchMutation({ failed }, true) as ChangeMutationOptions<never, unknown>,
  pursuit: (failed) => pursuitMutation({ failed }, true) as ChangeMutationOptions<never, unknown>,
  queue: () => morningQueueDecisionMutation as ChangeMutationOptions<never, unknown>,
}

const lockOf = (tab: string) => `tamngan.tab.${tab}`

type OutboxEnvironment = {
  readonly store: OfflineStore
  readonly openTabs: () => Promise<ReadonlySet<string>>
  readonly tab: string
}

function createBrowserEnvironment(): OutboxEnvironment {
  const tab = crypto.randomUUID()
  const { locks } = navigator as Partial<Navigator>
  // This promise never resolves, so the lock is released only when the page is gone.
  void locks?.request(lockOf(tab), () => new Promise(() => undefined))
  return {
    store: createOfflineStore('tamngan.changes'),
    tab,
    openTabs: async () => {
      const heldLocks = (await locks?.query())?.held ?? []
      return new Set([tab, ...heldLocks.map(({ name }) => name?.replace(lockOf(''), '') ?? '')])
    },
  }
}

let sharedEnvironment: OutboxEnvironment | undefined

/**
 * Persists changes until they are confirmed, and resends in order the changes that an earlier visit of the same user
 * left. Logout or a different user deletes them. Returns a function that stops persisting.
 */
export function startPersistingQueuedChanges(environmentOverride?: OutboxEnvironment): () => void {
  sharedEnvironment = environmentOverride ?? sharedEnvironment ?? createBrowserEnvironment()
  const environment = sharedEnvironment
  const { store, tab } = environment
  const keyByMutation = new Map<object, string>()
  // Writes are serialised, because a response may arrive before its change is stored.
  let writing: Promise<unknown> = Promise.resolve()
  const enqueueWrite = (work: () => Promise<unknown>) => {
    // Without storage nothing is persisted, so the tab warns before it closes.
    writing = writing.then(work).catch(() => undefined)
  }
  let count = 0
  /** Original time and order of changes restored from an earlier visit. */
  const originByKey = new Map<string, Pick<StoredChange, 'madeAtMs' | 'place'>>()
  const syncOutbox = () => {
    const currentOwner = getSessionOwner(getCurrentSession())
    const queued = listQueuedChanges()
    for (const { mutation, name, variables, failed } of queued) {
      if (
        keyByMutation.has(mutation) ||
        currentOwner === undefined ||
        getCurrentSession()?.isDemo ||
        !(name in MUTATION_FACTORIES)
      )
        continue
      const key = getIdempotencyKey(mutation)
      keyByMutation.set(mutation, key)
      const stored: StoredChange = {
        owner: currentOwner,
        tab,
        name,
        variables,
        failed,
        madeAtMs: mutation.state.submittedAt,
        place: count++,
        ...originByKey.get(key),
      }
      enqueueWrite(async () => {
        if (keyByMutation.has(mutation)) await store.set(key, stored)
        offlinePersistedMutations.add(mutation)
        updateTabCloseWarning()
      })
    }
    for (const [mutation, key] of keyByMutation) {
      if (queued.some((change) => change.mutation === mutation)) continue
      keyByMutation.delete(mutation)
      // Changes of an ended session stay stored and are sent when the same user returns.
      if (currentOwner === owner) enqueueWrite(() => store.remove([key]))
    }
  }
  let owner = getSessionOwner(getCurrentSession())
  const stopChanges = subscribeToPendingChanges(syncOutbox)
  const stopSession = subscribeToSession((session, cause) => {
    keyByMutation.clear()
    if (cause === 'logout') enqueueWrite(() => store.clear())
    owner = getSessionOwner(session)
    if (session) enqueueWrite(sendLeftovers)
  })

  const sendLeftovers = async () => {
    const currentOwner = getSessionOwner(getCurrentSession())
    if (currentOwner === undefined) return
    const openTabs = await environment.openTabs()
    const entries = await store.all<StoredChange>()
    const nowMs = Date.now()
    const isExpired = ({ owner: changeOwner, madeAtMs }: StoredChange) =>
      changeOwner !== currentOwner || nowMs - madeAtMs > MAX_STORED_RESPONSE_AGE_MS
    const expiredKeys = entries.filter(([, stored]) => isExpired(stored)).map(([key]) => key)
    if (expiredKeys.length > 0) await store.remove(expiredKeys)
    const leftovers = entries
      .filter(
        ([key, stored]) => !isExpired(stored) && (stored.tab === tab || !openTabs.has(stored.tab)) && !isPending(key),
      )
      .sort(([, a], [, b]) => a.madeAtMs - b.madeAtMs || a.place - b.place)
    for (const [key, stored] of leftovers) await store.set(key, { ...stored, tab })
    if (getSessionOwner(getCurrentSession()) !== currentOwner) return
    for (const [key, { name, variables, failed, madeAtMs, place: nth }] of leftovers) {
      originByKey.set(key, { madeAtMs, place: nth })
      const options = MUTATION_FACTORIES[name]?.(failed)
      if (options) resumeQueuedChange(options, variables as never, key)
    }
  }
  const isPending = (key: string) => [...keyByMutation.values()].includes(key)
  syncOutbox()
  enqueueWrite(sendLeftovers)
  return () => {
    stopChanges()
    stopSession()
  }
}
