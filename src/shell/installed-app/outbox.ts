import { changeKey, keptChanges } from '#src/api/change-keys.ts'
import { MOST_AGE_MS } from '#src/api/offline/kept-kinds.ts'
import { type KeptStore, keptStore } from '#src/api/offline/kept-store.ts'
import { mutateAgain, waitingChanges } from '#src/api/offline/waiting-changes.ts'
import { type ChangeOptions, updateTabGuard, watchChanges } from '#src/api/optimistic.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { queueDecisionMutation } from '#src/report/api/morning-queue-decisions.ts'
import { userPatchMutation } from '#src/report/api/user-patches.ts'
import { pursuitMutation } from '#src/team/api/pursuit-patches.ts'

type KeptChange = {
  readonly owner: string
  /** The sending tab; when it closes, another tab takes over. */
  readonly tab: string
  readonly name: string
  readonly variables: object
  /** Prefix of the error message if the server refuses. */
  readonly failed: string
  readonly madeAtMs: number
  /** Order among changes made in the same millisecond. */
  readonly place: number
}

/** Recreates a mutation from its persisted name. */
const MAKERS: Readonly<Record<string, (failed: string) => ChangeOptions<never, unknown>>> = {
  user: (failed) => userPatchMutation({ failed }, true) as ChangeOptions<never, unknown>,
  pursuit: (failed) => pursuitMutation({ failed }, true) as ChangeOptions<never, unknown>,
  queue: () => queueDecisionMutation as ChangeOptions<never, unknown>,
}

const lockOf = (tab: string) => `tamngan.tab.${tab}`

type Place = {
  readonly store: KeptStore
  readonly openTabs: () => Promise<ReadonlySet<string>>
  readonly tab: string
}

function browserPlace(): Place {
  const tab = crypto.randomUUID()
  const { locks } = navigator as Partial<Navigator>
  // Never resolves: the lock is released when the page is gone.
  void locks?.request(lockOf(tab), () => new Promise(() => undefined))
  return {
    store: keptStore('tamngan.changes'),
    tab,
    openTabs: async () => {
      const held = (await locks?.query())?.held ?? []
      return new Set([tab, ...held.map(({ name }) => name?.replace(lockOf(''), '') ?? '')])
    },
  }
}

let here: Place | undefined

/**
 * Persists changes until they are confirmed and resends those left by an earlier visit of the same user, in order.
 * Logout or a different user deletes them. Returns the stop function.
 */
export function startStoringChanges(given?: Place): () => void {
  here = given ?? here ?? browserPlace()
  const place = here
  const { store, tab } = place
  const written = new Map<object, string>()
  // Serialised, because a response may arrive before its change is stored.
  let writing: Promise<unknown> = Promise.resolve()
  const then = (work: () => Promise<unknown>) => {
    // Without storage nothing persists; the tab then warns before closing.
    writing = writing.then(work).catch(() => undefined)
  }
  let count = 0
  /** Original times of changes restored from an earlier visit. */
  const made = new Map<string, Pick<KeptChange, 'madeAtMs' | 'place'>>()
  const look = () => {
    const present = ownerOf(currentSession())
    const waiting = waitingChanges()
    for (const { mutation, name, variables, failed } of waiting) {
      if (written.has(mutation) || present === undefined || currentSession()?.isDemo || !(name in MAKERS)) continue
      const key = changeKey(mutation)
      written.set(mutation, key)
      const kept: KeptChange = {
        owner: present,
        tab,
        name,
        variables,
        failed,
        madeAtMs: mutation.state.submittedAt,
        place: count++,
        ...made.get(key),
      }
      then(async () => {
        if (written.has(mutation)) await store.set(key, kept)
        keptChanges.add(mutation)
        updateTabGuard()
      })
    }
    for (const [mutation, key] of written) {
      if (waiting.some((one) => one.mutation === mutation)) continue
      written.delete(mutation)
      // Changes of an ended session stay stored and are sent when the same user returns.
      if (present === owner) then(() => store.remove([key]))
    }
  }
  let owner = ownerOf(currentSession())
  const stopChanges = watchChanges(look)
  const stopSession = watchSession((session, cause) => {
    written.clear()
    if (cause === 'logout') then(() => store.clear())
    owner = ownerOf(session)
    if (session) then(sendLeftBehind)
  })

  const sendLeftBehind = async () => {
    const mineNow = ownerOf(currentSession())
    if (mineNow === undefined) return
    const open = await place.openTabs()
    const all = await store.all<KeptChange>()
    const now = Date.now()
    const isOver = ({ owner: theirs, madeAtMs }: KeptChange) => theirs !== mineNow || now - madeAtMs > MOST_AGE_MS
    const over = all.filter(([, kept]) => isOver(kept)).map(([key]) => key)
    if (over.length > 0) await store.remove(over)
    const mine = all
      .filter(([key, kept]) => !isOver(kept) && (kept.tab === tab || !open.has(kept.tab)) && !isUnderWay(key))
      .sort(([, one], [, other]) => one.madeAtMs - other.madeAtMs || one.place - other.place)
    for (const [key, kept] of mine) await store.set(key, { ...kept, tab })
    if (ownerOf(currentSession()) !== mineNow) return
    for (const [key, { name, variables, failed, madeAtMs, place: nth }] of mine) {
      made.set(key, { madeAtMs, place: nth })
      const options = MAKERS[name]?.(failed)
      if (options) mutateAgain(options, variables as never, key)
    }
  }
  const isUnderWay = (key: string) => [...written.values()].includes(key)
  look()
  then(sendLeftBehind)
  return () => {
    stopChanges()
    stopSession()
  }
}
