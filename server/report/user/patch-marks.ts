import { MAX_MARKED_PROJECTS, targetProjectIds } from '#contract/report/bookmark.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatNumber, refuseUserPatch } from './refuse.ts'
import {
  addMarks,
  countMarks,
  countUnknownProjects,
  removeAllMarks,
  removeMarks,
  type UserMarkKind,
} from './user-patch-queries.ts'

type Field = keyof UserPatch

export function requiredTargets(field: Field, action: Parameters<typeof targetProjectIds>[0]): string[] {
  const targets = targetProjectIds(action)
  if (targets.length === 0) refuseUserPatch(field, 'ระบุโครงการอย่างน้อยหนึ่งโครงการ')
  return targets
}

/** Refuses unknown project ids, because the user could never see or remove a mark on them. */
export async function assertKnownProjects(tx: Db, field: Field, projectIds: readonly string[]): Promise<void> {
  const unknown = projectIds.length === 0 ? 0 : await countUnknownProjects(tx, projectIds)
  if (unknown > 0) refuseUserPatch(field, `ไม่พบ ${formatNumber(unknown)} โครงการที่ระบุ`)
}

const ACTION_TEXTS: Readonly<Record<UserMarkKind, string>> = { star: 'ติดดาว', hidden: 'ซ่อน' }

async function addWithinLimit(
  tx: Db,
  field: Field,
  kind: UserMarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await assertKnownProjects(tx, field, projectIds)
  const added = await addMarks(tx, kind, userId, projectIds)
  const marked = added === 0 ? 0 : await countMarks(tx, kind, userId)
  if (marked <= MAX_MARKED_PROJECTS) return
  const remaining = Math.max(0, MAX_MARKED_PROJECTS - (marked - added))
  refuseUserPatch(
    field,
    `${ACTION_TEXTS[kind]}ได้ไม่เกิน ${formatNumber(MAX_MARKED_PROJECTS)} โครงการ ตอนนี้เพิ่มได้อีก ${formatNumber(remaining)} โครงการ`,
  )
}

export async function patchMarks(tx: Db, userId: number, patch: UserPatch): Promise<void> {
  const actions = [
    ['bookmark_action', 'star', patch.bookmark_action],
    ['hide_action', 'hidden', patch.hide_action],
  ] as const
  for (const [field, kind, action] of actions) {
    if (!action) continue
    const targets = requiredTargets(field, action)
    if (action.action === 'add') await addWithinLimit(tx, field, kind, userId, targets)
    else await removeMarks(tx, kind, userId, targets)
  }
  if (!patch.bookmark_action && patch.project_bookmark) {
    await removeAllMarks(tx, 'star', userId)
    await addWithinLimit(tx, 'project_bookmark', 'star', userId, [...new Set(patch.project_bookmark)])
  }
}
