import { applyUserPatch } from '#contract/user/apply-user-patch.ts'
import { undoOfUserPatch } from '#contract/user/undo-user-patch.ts'
import { type User, userSchema } from '#contract/user/user.ts'
import type { UserPatch } from '#contract/user/user-patch.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { request } from '../http/client.ts'
import { suspectConnection } from '../http/connection.ts'
import { userKeys } from '../http/keys.ts'
import { ProblemError } from '../http/problem-error.ts'
import { queryClient } from '../http/query-client.ts'
import { marksIn, postponeRefetch, refetchMarks, type StaleMarks } from '../report/stale-marks.ts'
import { mustWaitFor } from './patch-order.ts'
import { setUserOverlay, withOverlay } from './user-overlay.ts'
import { type PatchWords, patchUser, tellPatchNews } from './user-patches.ts'
import { tellOtherTabs } from './user-tabs.ts'

/** No answer in this time counts as none: the change is taken back and offered again, instead of standing there unsaved. */
const TIMEOUT_MS = 30_000
/**
 * Requests that outlive their tab count against the browser's limits: 64 KiB of bodies (Fetch standard 4.6; measured in Chromium:
 * 48 kB pass, 80 kB fail), in some versions 20 requests of a page. Past them they would fail, so the large and the many go
 * without, and closing the tab asks first.
 */
const OUTLIVING = { requests: 16, bytes: 32_000 }

type Change = {
  readonly patch: UserPatch
  readonly words: PatchWords
  /** Settles when the server has answered, whatever it said. */
  readonly over: Promise<unknown>
  /** Closing the tab does not lose it any more. */
  isSafe: boolean
}

/** Changes shown but not confirmed, in the order in which they were made. */
let pending: readonly Change[] = []
/** What has to be asked for again when the last of them is through. */
let stale = new Set<StaleMarks[number]>()
const outliving = { requests: 0, bytes: 0 }

function setPending(next: readonly Change[]) {
  pending = next
  setUserOverlay(
    next.length === 0 ? undefined : (user) => next.reduce((shown, { patch }) => applyUserPatch(shown, patch), user),
  )
  guardTab()
}

function guardTab() {
  if (pending.some((change) => !change.isSafe)) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
}
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

let owner = ownerOf(currentSession())
/** What was on its way when the session ended: sent when the same person is back, forgotten when somebody else comes. */
let left: { readonly owner: string | undefined; readonly changes: readonly Change[] } | undefined
watchSession((session) => {
  const next = ownerOf(session)
  if (next === owner) return
  if (pending.length > 0) left = { owner, changes: pending }
  // Nothing of one user may be laid over the next.
  setPending([])
  stale = new Set()
  owner = next
  if (next === undefined) return
  const again = left?.owner === next ? left.changes : []
  left = undefined
  for (const { patch, words } of again) void patchUser(patch, { failed: words.failed })
})

/** Runs one change; see `patchUser`. */
export async function runUserPatch(patch: UserPatch, words: PatchWords): Promise<boolean> {
  const { done, failed } = words
  const cached = queryClient.getQueryData<User>(userKeys.me)
  const undo = cached && undoOfUserPatch(withOverlay(cached), patch)
  const before = pending.filter((one) => mustWaitFor(patch, one.patch)).map((one) => one.over)
  let settle = () => {}
  const over = new Promise<void>((resolve) => {
    settle = resolve
  })
  const change: Change = { patch, words, over, isSafe: false }
  setPending([...pending, change])
  postponeRefetch()
  if (done !== undefined) {
    tellPatchNews({
      kind: 'done',
      change,
      text: done,
      undo: undo && (() => void patchUser(undo, { failed: 'เลิกทำไม่สำเร็จ' })),
    })
  }
  try {
    await Promise.all(before)
    if (!pending.includes(change)) return false
    await send(change)
    if (!pending.includes(change)) return forget(change)
    // A question that was asked before this would bring the older word.
    await cancelOldQuestion()
    // Not the answer: of two changes under way the later answer may be the older word.
    queryClient.setQueryData<User>(userKeys.me, (user) => user && applyUserPatch(user, patch))
    drop(change)
    return true
  } catch (error) {
    // The session is ending: the change stays until it has, and is sent after the next login.
    if (!pending.includes(change) || isSessionOver(error)) return false
    drop(change)
    suspectConnection(error)
    tellPatchNews({ kind: 'failed', change, text: failed, error, retry: () => void patchUser(patch, words) })
    return false
  } finally {
    settle()
  }
}

function forget(change: Change): boolean {
  if (left) left = { ...left, changes: left.changes.filter((one) => one !== change) }
  return true
}

const isSessionOver = (error: unknown) => error instanceof ProblemError && error.status === 401

async function send(change: Change): Promise<void> {
  const access = currentSession()?.access
  try {
    await ask(change)
  } catch (error) {
    // The token was renewed while this was on its way.
    const now = currentSession()
    if (!isSessionOver(error) || now === undefined || now.access === access || ownerOf(now) !== owner) throw error
    await ask(change)
  }
}

async function ask(change: Change): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(change.patch)).length
  const keepalive = outliving.requests < OUTLIVING.requests && outliving.bytes + bytes <= OUTLIVING.bytes
  const count = (sign: 1 | -1) => {
    if (!keepalive) return
    outliving.requests += sign
    outliving.bytes += sign * bytes
  }
  count(1)
  change.isSafe = keepalive
  guardTab()
  try {
    await request('users/me', {
      method: 'patch',
      json: change.patch,
      schema: userSchema,
      timeoutMs: TIMEOUT_MS,
      keepalive,
    })
  } finally {
    count(-1)
  }
}

async function cancelOldQuestion(): Promise<void> {
  if (queryClient.getQueryData(userKeys.me) !== undefined) await queryClient.cancelQueries({ queryKey: userKeys.me })
}

/** Takes a change off the list. After the last one everything is asked for once, so that no earlier answer flashes old values. */
function drop(change: Change) {
  for (const kind of marksIn(change.patch)) stale.add(kind)
  setPending(pending.filter((one) => one !== change))
  if (pending.length > 0) return
  const changed = [...stale]
  stale = new Set()
  refetchMarks(changed)
  tellOtherTabs(changed)
}
