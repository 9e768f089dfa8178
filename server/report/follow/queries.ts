import sql, { raw, type Sql } from 'sql-template-tag'
import { AGENCY_UNIT_SEPARATOR } from '#contract/catalogue/agency-name.ts'
import {
  buildPurchasingUnitFollowName,
  type Follow,
  type FollowKind,
  type FollowTarget,
  NOTIFIABLE_UPDATE_KINDS,
  type NotifiableUpdateKind,
} from '#contract/report/follow.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type Follower = { readonly userId: number; readonly organisationId: number }

const ALL_UPDATE_KINDS = NOTIFIABLE_UPDATE_KINDS.map(({ code }) => code)

export async function listFollows(db: Db, userId: number): Promise<Follow[]> {
  return db.query<Follow>(
    sql`select kind, key, name from follows where user_id = ${userId}::int order by created_at, kind, key`,
  )
}

export type FollowSettings = { readonly bell: NotifiableUpdateKind[]; readonly mail: NotifiableUpdateKind[] }

export async function loadFollowSettings(db: Db, userId: number): Promise<FollowSettings> {
  const [row] = await db.query<FollowSettings>(
    sql`select bell, mail from follow_settings where user_id = ${userId}::int`,
  )
  return row ?? { bell: [...ALL_UPDATE_KINDS], mail: [...ALL_UPDATE_KINDS] }
}

export async function saveFollowSettings(
  tx: Db,
  { userId, organisationId }: Follower,
  { bell, mail }: FollowSettings,
): Promise<void> {
  await tx.execute(sql`
    insert into follow_settings (user_id, organisation_id, bell, mail)
    values (${userId}::int, ${organisationId}::int, ${bell}::text[], ${mail}::text[])
    on conflict (user_id) do update set bell = excluded.bell, mail = excluded.mail`)
}

/**
 * Condition on a department: it belongs to the followed agency, or is a unit that the key names
 * (`buildPurchasingUnitFollowKey`). The first condition uses the name index.
 */
export const followedDepartmentCondition = (department: string, key: Sql): Sql => {
  const [name, unit, province] = [1, 2, 3].map(
    (part) => sql`split_part(${key}, ${AGENCY_UNIT_SEPARATOR}, ${part}::int)`,
  )
  const d = raw(department)
  return sql`${d}.name = ${name} and (${unit} = '' or ${d}.sub_name = ${unit}) and (${province} = '' or ${d}.province::text = ${province})`
}

/** Returns the name of a target. Undefined if it does not exist or is a project outside the organisation's report. */
export async function findFollowTargetName(
  db: Db,
  { kind, key }: FollowTarget,
  organisationId: number,
): Promise<string | undefined> {
  if (kind === 'department') return nameOfDepartment(db, key)
  const nameQuery = {
    company: sql`select name from companies where key = ${key}`,
    project: sql`
      select p.name from projects p join project_matches m on m.project_id = p.project_id and m.organisation_id = ${organisationId}::int
      where p.project_id = ${key}`,
  }[kind]
  const [row] = await db.query<{ name: string }>(nameQuery)
  return row?.name
}

async function nameOfDepartment(db: Db, key: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string; province: number | null }>(sql`
    select d.name, d.province from departments d where ${followedDepartmentCondition('d', sql`${key}::text`)} limit 1`)
  if (!row) return undefined
  const [, unit] = key.split(AGENCY_UNIT_SEPARATOR)
  if (unit === undefined) return row.name
  const province = key.endsWith(AGENCY_UNIT_SEPARATOR)
    ? null
    : (row.province && findProvinceByCode(row.province)?.th) || null
  return buildPurchasingUnitFollowName({ agency: row.name, unit, province })
}

export async function insertFollow(
  tx: Db,
  { userId, organisationId }: Follower,
  { kind, key, name }: Follow,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into follows (user_id, organisation_id, kind, key, name, created_at)
    values (${userId}::int, ${organisationId}::int, ${kind}, ${key}, ${name}, ${at.toISOString()}::timestamptz)
    on conflict do nothing`)
}

export async function deleteFollow(tx: Db, userId: number, { kind, key }: FollowTarget): Promise<void> {
  await tx.execute(sql`delete from follows where user_id = ${userId}::int and kind = ${kind} and key = ${key}`)
}

export type UnmailedFollowUpdate = {
  readonly id: number
  readonly kind: FollowKind
  readonly followed: string
  readonly project_id: string
  readonly name: string
  readonly agency: string
  readonly winner_name: string | null
}

export type FollowMailRecipient = Follower & { readonly email: string; readonly isNotifiable: boolean }

export async function findFollowMailRecipient(db: Db, userId: number): Promise<FollowMailRecipient | undefined> {
  const [row] = await db.query<FollowMailRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.email,
      not u.is_disabled and not o.is_disabled and not o.is_access_budget_year_only as "isNotifiable"
    from users u join organisations o on o.id = u.organisation_id where u.id = ${userId}::int`)
  return row
}

const MAX_UPDATES_PER_MAIL = 100

export async function findUnmailedFollowUpdates(db: Db, userId: number): Promise<UnmailedFollowUpdate[]> {
  return db.query<UnmailedFollowUpdate>(sql`
    select n.id, n.kind, f.name as followed, n.project_id, p.name, coalesce(nullif(d.sub_name, ''), d.name) as agency, p.winner_name
    from follow_news n
    join follows f on f.user_id = n.user_id and f.kind = n.kind and f.key = n.key
    join projects p on p.project_id = n.project_id join departments d on d.id = p.department_id
    where n.user_id = ${userId}::int and n.mailed_at is null order by n.id limit ${MAX_UPDATES_PER_MAIL}::int`)
}

/**
 * Marks all updates of the user up to `upTo` as emailed. Also called, without sending an email, for users who want none.
 */
export async function markFollowUpdatesMailed(tx: Db, userId: number, upTo: number, at: Date): Promise<void> {
  await tx.execute(sql`
    update follow_news set mailed_at = ${at.toISOString()}::timestamptz where user_id = ${userId}::int and mailed_at is null and id <= ${upTo}::bigint`)
}
