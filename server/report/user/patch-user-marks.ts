import { getActionTargetProjectIds, MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatGroupedNumber, throwUserPatchError } from './throw-user-patch-error.ts'
import {
  addUserProjectMarks,
  countUnknownProjects,
  countUserProjectMarks,
  removeAllUserProjectMarks,
  removeUserProjectMarks,
  type UserProjectMarkKind,
} from './user-patch-queries.ts'

type Field = keyof UserPatch

export function getTargetProjectIdsOrThrow(
  field: Field,
  action: Parameters<typeof getActionTargetProjectIds>[0],
): string[] {
  const targets = getActionTargetProjectIds(action)
  if (targets.length === 0) throwUserPatchError(field, 'ระบุโครงการอย่างน้อยหนึ่งโครงการ')
  return targets
}

/** Refuses unknown project ids, because the user could never see or remove a mark on them. */
export async function assertProjectsExist(tx: Db, field: Field, projectIds: readonly string[]): Promise<void> {
  const unknown = projectIds.length === 0 ? 0 : await countUnknownProjects(tx, projectIds)
  if (unknown > 0) throwUserPatchError(field, `ไม่พบ ${formatGroupedNumber(unknown)} โครงการที่ระบุ`)
}

const ACTION_TEXTS: Readonly<Record<UserProjectMarkKind, string>> = { star: 'ติดดาว', hidden: 'ซ่อน' }

async function addWithinLimit(
  tx: Db,
  field: Field,
  kind: UserProjectMarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await assertProjectsExist(tx, field, projectIds)
  const added = await addUserProjectMarks(tx, kind, userId, projectIds)
  const marked = added === 0 ? 0 : await countUserProjectMarks(tx, kind, userId)
  if (marked <= MAX_MARKED_PROJECTS) return
  const remaining = Math.max(0, MAX_MARKED_PROJECTS - (marked - added))
  throwUserPatchError(
    field,
    `${ACTION_TEXTS[kind]}ได้ไม่เกิน ${formatGroupedNumber(MAX_MARKED_PROJECTS)} โครงการ ตอนนี้เพิ่มได้อีก ${formatGroupedNumber(remaining)} โครงการ`,
  )
}

export async function patchUserProjectMarks(tx: Db, userId: number, patch: UserPatch): Promise<void> {
  const actions = [
    ['bookmark_action', 'star', patch.bookmark_action],
    ['hide_action', 'hidden', patch.hide_action],
  ] as const
  for (const [field, kind, action] of actions) {
    if (!action) continue
    const targets = getTargetProjectIdsOrThrow(field, action)
    if (action.action === 'add') await addWithinLimit(tx, field, kind, userId, targets)
    else await removeUserProjectMarks(tx, kind, userId, targets)
  }
  if (!patch.bookmark_action && patch.project_bookmark) {
    await removeAllUserProjectMarks(tx, 'star', userId)
    await addWithinLimit(tx, 'project_bookmark', 'star', userId, [...new Set(patch.project_bookmark)])
  }
}
