import sql from 'sql-template-tag'
import { IS_NOTIFIABLE_USER_SQL } from '#server/account/notification/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type LineGroup = { readonly id: number; readonly connected_by: string | null; readonly connected_at: string }

export async function listLineGroups(db: Db, organisationId: number): Promise<LineGroup[]> {
  return db.query<LineGroup>(sql`
    select g.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as connected_by, g.connected_at
    from line_groups g left join users u on u.id = g.connected_by
    where g.organisation_id = ${organisationId}::int order by g.connected_at desc, g.id desc`)
}

export async function storeLineGroupConnectCode(
  tx: Db,
  { userId, organisationId }: { readonly userId: number; readonly organisationId: number },
  codeHash: string,
  expiresAt: Date,
): Promise<void> {
  await tx.execute(sql`delete from line_group_codes where organisation_id = ${organisationId}::int`)
  await tx.execute(sql`
    insert into line_group_codes (organisation_id, made_by, code_hash, expires_at)
    values (${organisationId}::int, ${userId}::int, ${codeHash}, ${expiresAt.toISOString()}::timestamptz)`)
}

export async function removeLineGroup(tx: Db, organisationId: number, id: number): Promise<boolean> {
  return (
    (await tx.execute(
      sql`delete from line_groups where id = ${id}::int and organisation_id = ${organisationId}::int`,
    )) > 0
  )
}

export const MAX_LINE_GROUPS = 20

/**
 * Connects a group with a super user's one-time code. Returns `other` if the group belongs to another organisation (it
 * stays there and the code remains valid), or undefined if the code is unknown, expired or used, or the group limit is
 * reached.
 */
export async function connectLineGroup(
  tx: Db,
  group: { readonly codeHash: string; readonly hashes: readonly string[]; readonly hash: string },
  now: Date,
): Promise<{ userId: number; organisationId: number; organisation: string } | 'other' | undefined> {
  const at = now.toISOString()
  const [code] = await tx.query<{ userId: number; organisationId: number; organisation: string }>(sql`
    select u.id as "userId", o.id as "organisationId", o.name as organisation
    from line_group_codes c join users u on u.id = c.made_by and u.organisation_id = c.organisation_id join organisations o on o.id = c.organisation_id
    where c.code_hash = ${group.codeHash} and c.expires_at > ${at}::timestamptz and u.role = 'super_user' and ${IS_NOTIFIABLE_USER_SQL}
      and (select count(*) from line_groups g where g.organisation_id = o.id) < ${MAX_LINE_GROUPS}::int
    for update of c`)
  if (!code) return undefined
  const [existing] = await tx.query<{ organisationId: number }>(sql`
    select organisation_id as "organisationId" from line_groups where group_hash = any (${[...group.hashes]}::text[])`)
  if (existing && existing.organisationId !== code.organisationId) return 'other'
  await tx.execute(sql`delete from line_group_codes where code_hash = ${group.codeHash}`)
  if (!existing)
    await tx.execute(sql`
      insert into line_groups (organisation_id, group_hash, connected_by, connected_at)
      values (${code.organisationId}::int, ${group.hash}, ${code.userId}::int, ${at}::timestamptz)`)
  return code
}

export async function isLineGroupConnected(db: Db, hashes: readonly string[]): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from line_groups g join organisations o on o.id = g.organisation_id
    where g.group_hash = any (${[...hashes]}::text[]) and not o.is_disabled and not o.is_access_budget_year_only`)
  return rows.length > 0
}

export async function removeLineGroupByHash(tx: Db, hashes: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from line_groups where group_hash = any (${[...hashes]}::text[])`)
}
