import { getProjectLabelIds } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { getCurrentUser } from '#src/account/api/users.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import { buildBookmarkPatch } from '#src/report/bookmarks/set-bookmarks.ts'
import { hasSameMorningQueueMarks, type MorningQueueMarks } from './morning-queue-state.ts'

/** Returns undefined if nothing differs. Omits labels that were deleted in the meantime. */
export function buildRestoreMarksPatch(
  id: string,
  current: MorningQueueMarks,
  target: MorningQueueMarks,
  existing: ReadonlySet<string>,
): UserPatch | undefined {
  const labels = target.labels.filter((label) => existing.has(label))
  const to: MorningQueueMarks = { ...target, labels }
  if (hasSameMorningQueueMarks(current, to)) return undefined
  const action = (on: boolean) => ({ action: on ? ('add' as const) : ('remove' as const), project_ids: [id] })
  return {
    ...(current.starred === to.starred ? {} : { bookmark_action: action(to.starred) }),
    ...(current.hidden === to.hidden ? {} : { hide_action: action(to.hidden) }),
    ...(hasSameMorningQueueMarks({ ...current, starred: to.starred, hidden: to.hidden }, to)
      ? {}
      : { project_label_assignments: { [id]: labels } }),
  }
}

const NONE: MorningQueueMarks = { starred: false, hidden: false, labels: [] }

export function getMorningQueueMarks(user: User, id: string): MorningQueueMarks {
  return {
    starred: user.project_bookmark.includes(id),
    hidden: user.project_hidden.includes(id),
    labels: getProjectLabelIds(user.project_label_assignments, id),
  }
}

/** Returns the marks for use outside rendering, where a second key may arrive before React renders the first. */
export function getCurrentMorningQueueMarks(id: string): MorningQueueMarks {
  const user = getCurrentUser()
  return user ? getMorningQueueMarks(user, id) : NONE
}

// These patches show no success messages, because the queue has its own undo and sixty toasts would be in the way.

export function starProjectInMorningQueue(id: string, on: boolean): void {
  void patchUser(buildBookmarkPatch([id], on), { failed: on ? 'ติดดาวไม่สำเร็จ' : 'เอาดาวออกไม่สำเร็จ' })
}

export function hideProjectInMorningQueue(id: string, on: boolean): void {
  void patchUser(
    { hide_action: { action: on ? 'add' : 'remove', project_ids: [id] } },
    { failed: on ? 'ซ่อนไม่สำเร็จ' : 'เลิกซ่อนไม่สำเร็จ' },
  )
}

export function restoreMarksInMorningQueue(id: string, target: MorningQueueMarks): void {
  const existing = new Set(getCurrentUser()?.project_labels.map((label) => label.id))
  const patch = buildRestoreMarksPatch(id, getCurrentMorningQueueMarks(id), target, existing)
  if (patch) void patchUser(patch, { failed: 'ย้อนไม่สำเร็จ' })
}
