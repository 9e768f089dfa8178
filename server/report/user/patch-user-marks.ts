import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import type { UsageLogDetail, UsageLogType } from '#contract/account/usage-log.ts'
import {
  type ActionTargetProjects,
  getActionTargetProjectIds,
  MAX_MARKED_PROJECTS,
} from '#contract/report/project-targets.ts'
import type { BookmarkAction, HideAction, UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatNumberWithSeparators, throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler } from './user-patch-handler.ts'

type Field = keyof UserPatch
type MarkKind = {
  readonly table: Sql
  readonly type: UsageLogType
  readonly verb: string
  readonly descriptions: Readonly<Record<BookmarkAction['action'], string>>
}

const STAR: MarkKind = {
  table: sql`bookmarks`,
  type: 'bookmark',
  verb: 'ติดดาว',
  descriptions: { add: 'ติดดาวโครงการ', remove: 'เอาดาวออก' },
}
const HIDDEN: MarkKind = {
  table: sql`hidden_projects`,
  type: 'hide',
  verb: 'ซ่อน',
  descriptions: { add: 'ซ่อนโครงการ', remove: 'เลิกซ่อนโครงการ' },
}

export const bookmarkHandler: UserPatchHandler = {
  apply: async (tx, { userId }, { bookmark_action: action, project_bookmark: list }) => {
    if (action) return await applyMarkAction(tx, 'bookmark_action', STAR, userId, action)
    if (!list) return []
    await tx.execute(sql`delete from bookmarks where user_id = ${userId}::int`)
    await addWithinLimit(tx, 'project_bookmark', STAR, userId, [...new Set(list)])
    return [{ type: 'bookmark', description: 'ตั้งรายการติดดาวใหม่', info: describeTargetProjects({ project_ids: list }) }]
  },
}

export const hiddenProjectHandler: UserPatchHandler = {
  apply: async (tx, { userId }, { hide_action: action }) =>
    action ? await applyMarkAction(tx, 'hide_action', HIDDEN, userId, action) : [],
}

async function applyMarkAction(
  tx: Db,
  field: Field,
  kind: MarkKind,
  userId: number,
  action: BookmarkAction | HideAction,
) {
  const targets = getTargetProjectIdsOrThrow(field, action)
  if (action.action === 'add') await addWithinLimit(tx, field, kind, userId, targets)
  else
    await tx.execute(
      sql`delete from ${kind.table} where user_id = ${userId}::int and project_id = any (${targets}::text[])`,
    )
  const { type, descriptions } = kind
  return [{ type, description: descriptions[action.action], info: describeTargetProjects(action) }]
}

async function addWithinLimit(
  tx: Db,
  field: Field,
  { table, verb }: MarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await assertProjectsExist(tx, field, projectIds)
  const added = await tx.execute(sql`
    insert into ${table} (user_id, project_id, created_at)
    select ${userId}::int, t.id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${projectIds}::text[]) with ordinality t (id, place)
    on conflict do nothing`)
  const marked = added === 0 ? 0 : await countMarks(tx, table, userId)
  if (marked <= MAX_MARKED_PROJECTS) return
  const remaining = Math.max(0, MAX_MARKED_PROJECTS - (marked - added))
  throwUserPatchError(
    field,
    `${verb}ได้ไม่เกิน ${formatNumberWithSeparators(MAX_MARKED_PROJECTS)} โครงการ ตอนนี้เพิ่มได้อีก ${formatNumberWithSeparators(remaining)} โครงการ`,
  )
}

async function countMarks(tx: Db, table: Sql, userId: number): Promise<number> {
  const [row] = await tx.query<{ marked: number }>(
    sql`select count(*) as marked from ${table} where user_id = ${userId}::int`,
  )
  return row!.marked
}

export function getTargetProjectIdsOrThrow(field: Field, action: ActionTargetProjects): string[] {
  const targets = getActionTargetProjectIds(action)
  if (targets.length === 0) throwUserPatchError(field, 'ระบุโครงการอย่างน้อยหนึ่งโครงการ')
  return targets
}

/** Refuses unknown project ids, because the user could never see or remove a mark on them. */
export async function assertProjectsExist(tx: Db, field: Field, projectIds: readonly string[]): Promise<void> {
  if (projectIds.length === 0) return
  const [row] = await tx.query<{ unknown: number }>(sql`
    select count(*) as unknown from unnest(${projectIds}::text[]) t (id)
    where not exists (select from projects p where p.project_id = t.id)`)
  if (row!.unknown > 0) throwUserPatchError(field, `ไม่พบ ${formatNumberWithSeparators(row!.unknown)} โครงการที่ระบุ`)
}

const MAX_LISTED_PROJECTS = 20

export function describeTargetProjects(action: ActionTargetProjects): UsageLogDetail[] {
  const projectIds = getActionTargetProjectIds(action)
  if (projectIds.length === 0) return []
  const moreText =
    projectIds.length > MAX_LISTED_PROJECTS ? ` และอีก ${projectIds.length - MAX_LISTED_PROJECTS} โครงการ` : ''
  return [{ name: 'โครงการ', value: `${projectIds.slice(0, MAX_LISTED_PROJECTS).join(', ')}${moreText}` }]
}
