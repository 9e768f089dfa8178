import type { UserPatch } from '#contract/report/user-patch.ts'
import type { ChangeMessage } from '#src/api/optimistic.ts'
import { countText } from '#src/lib/money-text.ts'
import { patchUser } from '#src/report/api/patch-user.ts'

export function bookmarkPatch(projectIds: readonly string[], on: boolean): UserPatch {
  return { bookmark_action: { action: on ? 'add' : 'remove', project_ids: [...projectIds] } }
}

/** Adding one star is visible at once and needs no message; removal and bulk changes offer undo. */
function wordsOf(count: number, on: boolean): ChangeMessage {
  const many = count > 1 ? ` ${countText(count)} โครงการ` : ''
  return on
    ? { failed: `ติดดาว${many}ไม่สำเร็จ`, done: count > 1 ? `ติดดาว${many}แล้ว` : undefined }
    : { failed: `เอาดาวออก${many}ไม่สำเร็จ`, done: `เอาดาวออก${many}แล้ว` }
}

/** Stars or unstars projects. Resolves to whether it was saved. */
export function setBookmarks(projectIds: readonly string[], on: boolean): Promise<boolean> {
  return patchUser(bookmarkPatch(projectIds, on), wordsOf(projectIds.length, on))
}
