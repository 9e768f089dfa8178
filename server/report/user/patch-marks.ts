import { MAX_MARKED_PROJECTS, targetsOf } from '#contract/report/bookmark.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { count, refuse } from './refuse.ts'
import {
  addMarks,
  countMarks,
  countUnknownProjects,
  type MarkKind,
  removeAllMarks,
  removeMarks,
} from './user-patch-queries.ts'

type Field = keyof UserPatch

export function requiredTargets(field: Field, action: Parameters<typeof targetsOf>[0]): string[] {
  const targets = targetsOf(action)
  if (targets.length === 0) refuse(field, 'ระบุโครงการอย่างน้อยหนึ่งโครงการ')
  return targets
}

/** Refuses unknown ids: a mark on them could never be seen or removed. */
export async function assertKnownProjects(tx: Db, field: Field, projectIds: readonly string[]): Promise<void> {
  const unknown = projectIds.length === 0 ? 0 : await countUnknownProjects(tx, projectIds)
  if (unknown > 0) refuse(field, `ไม่พบ ${count(unknown)} โครงการที่ระบุ`)
}

const DOES: Readonly<Record<MarkKind, string>> = { star: 'ติดดาว', hidden: 'ซ่อน' }

async function add(tx: Db, field: Field, kind: MarkKind, userId: number, projectIds: readonly string[]): Promise<void> {
  await assertKnownProjects(tx, field, projectIds)
  const added = await addMarks(tx, kind, userId, projectIds)
  const marked = added === 0 ? 0 : await countMarks(tx, kind, userId)
  if (marked <= MAX_MARKED_PROJECTS) return
  const remaining = Math.max(0, MAX_MARKED_PROJECTS - (marked - added))
  refuse(field, `${DOES[kind]}ได้ไม่เกิน ${count(MAX_MARKED_PROJECTS)} โครงการ ตอนนี้เพิ่มได้อีก ${count(remaining)} โครงการ`)
}

export async function patchMarks(tx: Db, userId: number, patch: UserPatch): Promise<void> {
  const actions = [
    ['bookmark_action', 'star', patch.bookmark_action],
    ['hide_action', 'hidden', patch.hide_action],
  ] as const
  for (const [field, kind, action] of actions) {
    if (!action) continue
    const targets = requiredTargets(field, action)
    if (action.action === 'add') await add(tx, field, kind, userId, targets)
    else await removeMarks(tx, kind, userId, targets)
  }
  if (!patch.bookmark_action && patch.project_bookmark) {
    await removeAllMarks(tx, 'star', userId)
    await add(tx, 'project_bookmark', 'star', userId, [...new Set(patch.project_bookmark)])
  }
}
