import { labelsOfProject } from '#contract/user/label.ts'
import { patchUser } from '#src/api/user/user-patches.ts'
import { currentUser } from '#src/api/user/users.ts'
import { bookmarkPatch } from '#src/features/bookmarks/set-bookmarks.ts'
import type { Marks } from '#src/features/morning-queue/queue-state.ts'
import { restorePatch } from '#src/features/morning-queue/restore-patch.ts'

const NONE: Marks = { starred: false, hidden: false, labels: [] }

/** How a project is marked at this moment, with what was pressed just now. */
export function marksOf(id: string): Marks {
  const user = currentUser()
  return user
    ? {
        starred: user.project_bookmark.includes(id),
        hidden: user.project_hidden.includes(id),
        labels: labelsOfProject(user.project_label_assignments, id),
      }
    : NONE
}

// Nothing is said when these are done: the queue has an undo of its own, and a message for each of sixty projects would be in the way.

export function starInQueue(id: string, on: boolean): void {
  void patchUser(bookmarkPatch([id], on), { failed: on ? 'ติดดาวไม่สำเร็จ' : 'เอาดาวออกไม่สำเร็จ' })
}

export function hideInQueue(id: string, on: boolean): void {
  void patchUser(
    { hide_action: { action: on ? 'add' : 'remove', project_ids: [id] } },
    { failed: on ? 'ซ่อนไม่สำเร็จ' : 'เลิกซ่อนไม่สำเร็จ' },
  )
}

/** Marks a project as it was before. */
export function restoreInQueue(id: string, wanted: Marks): void {
  const existing = new Set(currentUser()?.project_labels.map((label) => label.id))
  const patch = restorePatch(id, marksOf(id), wanted, existing)
  if (patch) void patchUser(patch, { failed: 'ย้อนไม่สำเร็จ' })
}
