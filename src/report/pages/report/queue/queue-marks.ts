import { labelsOfProject } from '#contract/account/label.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { currentUser } from '#src/account/api/users.ts'
import { patchUser } from '#src/report/api/preload-user-patches.ts'
import { bookmarkPatch } from '#src/report/bookmarks/set-bookmarks.ts'
import { hasSameMarks, type QueueMarks } from '#src/report/morning-queue/queue-state.ts'

/**
 * Returns the patch that restores the marks, or undefined if nothing differs. Labels deleted since cannot be restored.
 */
export function restoreMarksPatch(
  id: string,
  current: QueueMarks,
  target: QueueMarks,
  existing: ReadonlySet<string>,
): UserPatch | undefined {
  const labels = target.labels.filter((label) => existing.has(label))
  const to: QueueMarks = { ...target, labels }
  if (hasSameMarks(current, to)) return undefined
  const action = (on: boolean) => ({ action: on ? ('add' as const) : ('remove' as const), project_ids: [id] })
  return {
    ...(current.starred === to.starred ? {} : { bookmark_action: action(to.starred) }),
    ...(current.hidden === to.hidden ? {} : { hide_action: action(to.hidden) }),
    ...(hasSameMarks({ ...current, starred: to.starred, hidden: to.hidden }, to)
      ? {}
      : { project_label_assignments: { [id]: labels } }),
  }
}

const NONE: QueueMarks = { starred: false, hidden: false, labels: [] }

export function currentMarksOf(id: string): QueueMarks {
  const user = currentUser()
  return user
    ? {
        starred: user.project_bookmark.includes(id),
        hidden: user.project_hidden.includes(id),
        labels: labelsOfProject(user.project_label_assignments, id),
      }
    : NONE
}

// No success messages: the queue has its own undo, and sixty toasts would be in the way.

export function starInQueue(id: string, on: boolean): void {
  void patchUser(bookmarkPatch([id], on), { failed: on ? 'ติดดาวไม่สำเร็จ' : 'เอาดาวออกไม่สำเร็จ' })
}

export function hideInQueue(id: string, on: boolean): void {
  void patchUser(
    { hide_action: { action: on ? 'add' : 'remove', project_ids: [id] } },
    { failed: on ? 'ซ่อนไม่สำเร็จ' : 'เลิกซ่อนไม่สำเร็จ' },
  )
}

export function restoreInQueue(id: string, target: QueueMarks): void {
  const existing = new Set(currentUser()?.project_labels.map((label) => label.id))
  const patch = restoreMarksPatch(id, currentMarksOf(id), target, existing)
  if (patch) void patchUser(patch, { failed: 'ย้อนไม่สำเร็จ' })
}
