import type { UserPatch } from '#contract/report/user-patch.ts'
import type { ChangeMessage } from '#src/api/optimistic.ts'
import { countText } from '#src/lib/figure-text.ts'
import { patchUser } from '#src/report/api/preload-user-patches.ts'

export function bookmarkPatch(projectIds: readonly string[], on: boolean): UserPatch {
  return { bookmark_action: { action: on ? 'add' : 'remove', project_ids: [...projectIds] } }
}

function bookmarkMessage(count: number, on: boolean): ChangeMessage {
  const countSuffix = count > 1 ? ` ${countText(count)} โครงการ` : ''
  return on
    ? { failed: `ติดดาว${countSuffix}ไม่สำเร็จ`, done: count > 1 ? `ติดดาว${countSuffix}แล้ว` : undefined }
    : { failed: `เอาดาวออก${countSuffix}ไม่สำเร็จ`, done: `เอาดาวออก${countSuffix}แล้ว` }
}

export function setBookmarks(projectIds: readonly string[], on: boolean): Promise<boolean> {
  return patchUser(bookmarkPatch(projectIds, on), bookmarkMessage(projectIds.length, on))
}
