import { applyUserPatch } from '#contract/apply-user-patch.ts'
import { undoOfUserPatch } from '#contract/undo-user-patch.ts'
import { type User, userSchema } from '#contract/user.ts'
import type { UserPatch } from '#contract/user-patch.ts'
import { watchSession } from '#src/lib/session-store.ts'
import { request } from './client.ts'
import { reportKeys, userKeys } from './keys.ts'
import { queryClient } from './query-client.ts'
import { setUserOverlay, withOverlay } from './user-overlay.ts'
import { type PatchWords, patchUser, tellPatchNews } from './user-patches.ts'
import { tellOtherTabs } from './user-tabs.ts'

/** Changes shown but not confirmed, in the order in which they were made. */
let pending: readonly UserPatch[] = []
/** What has to be asked for again when the last of them is through. */
let stale = { pages: false, personal: false, filters: false }

function setPending(next: readonly UserPatch[]) {
  pending = next
  setUserOverlay(next.length === 0 ? undefined : (user) => next.reduce(applyUserPatch, user))
}

// Nothing of one user may be laid over the next.
watchSession((session) => {
  if (!session) setPending([])
})

/** Changes of one row, of the labels, of the filters and of the columns each reach the server in their order. */
function scopeOf(patch: UserPatch): string {
  const { bookmark_action: bookmark, hide_action: hide } = patch
  if (bookmark) return `bookmark ${bookmark.project_id ?? ''}`
  if (hide) return `hide ${hide.project_id ?? ''}`
  return Object.keys(patch).sort().join()
}

function noteStale(patch: UserPatch) {
  stale = {
    pages: stale.pages || patch.hide_action !== undefined,
    personal:
      stale.personal ||
      (patch.bookmark_action ?? patch.project_bookmark ?? patch.label_action ?? patch.project_label_assignments) !==
        undefined,
    filters: stale.filters || patch.filter_action !== undefined,
  }
}

/** Runs one change; see `patchUser`. */
export async function runUserPatch(patch: UserPatch, words: PatchWords): Promise<boolean> {
  const cached = queryClient.getQueryData<User>(userKeys.me)
  const undo = cached && undoOfUserPatch(withOverlay(cached), patch)
  setPending([...pending, patch])
  noteStale(patch)
  const { done, failed } = words
  if (done !== undefined) {
    tellPatchNews({ kind: 'done', text: done, undo: undo && (() => void patchUser(undo, { failed: 'เลิกทำไม่สำเร็จ' })) })
  }
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: [...userKeys.me, 'patch'],
    scope: { id: scopeOf(patch) },
    mutationFn: (sent: UserPatch) => request('users/me', { method: 'patch', json: sent, schema: userSchema }),
  })
  try {
    await mutation.execute(patch)
    // Not the answer: of two changes under way the later answer may be the older word.
    queryClient.setQueryData<User>(userKeys.me, (user) => user && applyUserPatch(user, patch))
    return true
  } catch (error) {
    tellPatchNews({ kind: 'failed', text: failed, error, retry: () => void patchUser(patch, words) })
    return false
  } finally {
    setPending(pending.filter((one) => one !== patch))
    if (pending.length === 0) refresh()
  }
}

/** One refetch after the last change, so that no earlier answer flashes old values. */
function refresh() {
  const { pages, personal, filters } = stale
  stale = { pages: false, personal: false, filters: false }
  void queryClient.invalidateQueries({ queryKey: userKeys.me })
  if (pages) void queryClient.invalidateQueries({ queryKey: reportKeys.all })
  else if (personal) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPersonal(queryKey) })
  else if (filters) void queryClient.invalidateQueries({ queryKey: reportKeys.savedFilterCounts })
  tellOtherTabs()
}

/** Counts beside the filters, of the saved filters, and pages that filter by the user's own marks. */
function isPersonal([noun, what, query]: readonly unknown[]): boolean {
  if (noun !== reportKeys.all[0]) return false
  if (what !== 'page') return true
  return typeof query === 'object' && query !== null && ('project_bookmark' in query || 'project_label__in' in query)
}
