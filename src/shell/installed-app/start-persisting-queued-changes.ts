import { createOfflineStore, type OfflineStore } from '#src/api/offline/offline-store.ts'
import { MAX_STORED_RESPONSE_AGE_MS } from '#src/api/offline/stored-response-kinds.ts'
import {
  listQueuedMutations,
  persistedChangeKeys,
  resumeChanges,
  type StoredChange,
  subscribeToPendingChanges,
  updateTabCloseWarning,
} from '#src/api/optimistic-changes.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
// Define the changes that may be stored, so that `resumeChanges` finds their functions.
import '#src/report/api/morning-queue-decisions.ts'
import '#src/report/api/user-patches.ts'
import '#src/team/api/pursuit-patches.ts'

type OutboxRow = StoredChange & {
  readonly owner: string
  /** The tab that sends the change. When that tab closes, another one takes over. */
  readonly tab: string
  /** Position among changes made in the same millisecond. */
  readonly place: number
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
  // This promise never resolves, so the lock is released only when the page closes.
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
 *
 * Not with TanStack's `persistQueryClient`: it stores the whole cache under one key, so that two tabs would overwrite
 * each other's changes, and at most once a second, so that a change of the last second before a crash would be lost.
 */
export function startPersistingQueuedChanges(environmentOverride?: OutboxEnvironment): () => void {
  sharedEnvironment = environmentOverride ?? sharedEnvironment ?? createBrowserEnvironment()
  const { store, tab, openTabs } = sharedEnvironment
  const keys = new Set<string>()
  // Writes are serialised, because a response may arrive before its change is stored.
  let writing: Promise<unknown> = Promise.resolve()
  const enqueueWrite = (work: () => Promise<unknown>) => {
    // Without storage nothing is persisted, so the tab warns before it closes.
    writing = writing.then(work).catch(() => undefined)
  }
  let count = 0
  const syncOutbox = () => {
    const session = getCurrentSession()
    const currentOwner = getSessionOwner(session)
    const queued = new Map(listQueuedMutations().map((mutation) => [mutation.meta!.idempotencyKey!, mutation]))
    for (const [key, { meta, state }] of queued) {
      if (keys.has(key) || currentOwner === undefined || session?.isDemo) continue
      keys.add(key)
      const row: OutboxRow = {
        owner: currentOwner,
        tab,
        name: meta!.change.name,
        variables: state.variables!,
        failed: meta!.message?.failed ?? '',
        madeAtMs: state.submittedAt,
        place: count++,
      }
      enqueueWrite(async () => {
        if (keys.has(key)) await store.set(key, row)
        markPersisted(key)
      })
    }
    for (const key of keys) {
      if (queued.has(key)) continue
      keys.delete(key)
      // Changes of an ended session stay stored and are sent when the same user returns.
      if (currentOwner === owner) enqueueWrite(() => store.remove([key]))
    }
  }
  let owner = getSessionOwner(getCurrentSession())
  const stopChanges = subscribeToPendingChanges(syncOutbox)
  const stopSession = subscribeToSession((session, cause) => {
    keys.clear()
    if (cause === 'logout') enqueueWrite(() => store.clear())
    owner = getSessionOwner(session)
    if (session) enqueueWrite(sendLeftovers)
  })

  const sendLeftovers = async () => {
    const currentOwner = getSessionOwner(getCurrentSession())
    if (currentOwner === undefined) return
    const tabs = await openTabs()
    const rows = await store.all<OutboxRow>()
    const nowMs = Date.now()
    const isExpired = ({ owner: changeOwner, madeAtMs }: OutboxRow) =>
      changeOwner !== currentOwner || nowMs - madeAtMs > MAX_STORED_RESPONSE_AGE_MS
    const expiredKeys = rows.filter(([, row]) => isExpired(row)).map(([key]) => key)
    if (expiredKeys.length > 0) await store.remove(expiredKeys)
    const leftovers = rows
      .filter(([key, row]) => !isExpired(row) && (row.tab === tab || !tabs.has(row.tab)) && !keys.has(key))
      .sort(([, a], [, b]) => a.madeAtMs - b.madeAtMs || a.place - b.place)
    for (const [key, row] of leftovers) await store.set(key, { ...row, tab })
    if (getSessionOwner(getCurrentSession()) !== currentOwner) return
    for (const [key] of leftovers) {
      keys.add(key)
      markPersisted(key)
    }
    resumeChanges(new Map(leftovers))
  }
  syncOutbox()
  enqueueWrite(sendLeftovers)
  return () => {
    stopChanges()
    stopSession()
  }
}

function markPersisted(key: string): void {
  persistedChangeKeys.add(key)
  updateTabCloseWarning()
}
