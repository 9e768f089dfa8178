import type { UserPatch } from '#contract/report/user-patch.ts'
import type { ChangeResultMessages } from '#src/api/optimistic-changes.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

export function buildBookmarkPatch(projectIds: readonly string[], on: boolean): UserPatch {
  return { bookmark_action: { action: on ? 'add' : 'remove', project_ids: [...projectIds] } }
}

function bookmarkMessage(count: number, on: boolean): ChangeResultMessages {
  const countSuffix = count > 1 ? ` ${formatCount(count)} โครงการ` : ''
  return on
    ? { failed: `ติดดาว${countSuffix}ไม่สำเร็จ`, done: count > 1 ? `ติดดาว${countSuffix}แล้ว` : undefined }
    : { failed: `เอาดาวออก${countSuffix}ไม่สำเร็จ`, done: `เอาดาวออก${countSuffix}แล้ว` }
}

export function setBookmarks(projectIds: readonly string[], on: boolean): Promise<boolean> {
  return patchUser(buildBookmarkPatch(projectIds, on), bookmarkMessage(projectIds.length, on))
}
