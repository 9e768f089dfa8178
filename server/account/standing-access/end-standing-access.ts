import sql, { join, raw, type Sql } from 'sql-template-tag'
import { deleteOrphanedRecoveryCodes } from '#server/account/second-factor/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  getStandingAccessKind,
  STANDING_ACCESS_KIND_NAMES,
  type StandingAccessEndReason,
  type StandingAccessKindName,
} from './access-kinds.ts'

export type StandingAccessCounts = { readonly [K in StandingAccessKindName]?: number }

type AccessEnd = {
  readonly occasion: StandingAccessEndReason
  readonly at: Date
  /** UTC ISO. For kinds of access that are limited by `since`, older access stays. */
  readonly since?: string | undefined
  readonly keepSession?: string | undefined
}

/**
 * Ends the standing access of a user and returns how many grants of each kind were in force. The only way to do so
 * (R12): kinds are declared in `access-kinds.ts` and ended here. Call as table owner, in the transaction of the cause.
 */
export async function endStandingAccess(
  tx: Db,
  userId: number,
  { occasion, at, since, keepSession }: AccessEnd,
): Promise<StandingAccessCounts> {
  const now = at.toISOString()
  const counts: { [K in StandingAccessKindName]?: number } = {}
  for (const name of STANDING_ACCESS_KIND_NAMES) {
    const { owner, createdAt, isAlive, end, ends, session, channel } = getStandingAccessKind(name)
    const rule = ends[occasion]
    if (rule === undefined) continue
    const conditions: Sql[] = [sql`t.${raw(owner)} = ${userId}::int`, isAlive(now)]
    if (rule === 'since' && createdAt) conditions.push(sql`${createdAt} >= ${since ?? now}::timestamptz`)
    if (session && keepSession !== undefined) conditions.push(sql`t.${raw(session)} <> ${keepSession}`)
    const endedCount = await tx.execute(sql`${end(now)} where ${join(conditions, ' and ')}`)
    if (endedCount > 0) counts[name] = endedCount
    if (channel && endedCount > 0) await closeEmptyChannel(tx, userId, channel, getStandingAccessKind(name).table)
  }
  if (counts.passkey || counts.totp) await deleteOrphanedRecoveryCodes(tx, userId)
  return counts
}

async function closeEmptyChannel(tx: Db, userId: number, channel: string, table: string): Promise<void> {
  await tx.execute(sql`
    update channel_settings c set is_on = false where c.user_id = ${userId}::int and c.channel = ${channel}
      and not exists (select from ${raw(table)} t where t.user_id = c.user_id)`)
}

export async function countStandingAccess(db: Db, userId: number, at: Date): Promise<StandingAccessCounts> {
  const now = at.toISOString()
  const parts = STANDING_ACCESS_KIND_NAMES.map((name) => {
    const { table, owner, isAlive } = getStandingAccessKind(name)
    return sql`select ${name}::text as kind, count(*)::int as count from ${raw(table)} t
      where t.${raw(owner)} = ${userId}::int and ${isAlive(now)}`
  })
  const rows = await db.query<{ kind: StandingAccessKindName; count: number }>(sql`${join(parts, ' union all ')}`)
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]))
}

export function formatStandingAccessCounts(
  counts: StandingAccessCounts,
  { all = false }: { all?: boolean } = {},
): string[] {
  return STANDING_ACCESS_KIND_NAMES.flatMap((name) => {
    const { th, isListed } = getStandingAccessKind(name)
    const count = counts[name] ?? 0
    return count > 0 && (all || isListed) ? [`${th[0]} ${count} ${th[1]}`] : []
  })
}

export const pickOrganisationStandingAccessCounts = (counts: StandingAccessCounts): StandingAccessCounts =>
  Object.fromEntries(
    STANDING_ACCESS_KIND_NAMES.filter((name) => getStandingAccessKind(name).isOrganisations && counts[name]).map(
      (name) => [name, counts[name]!],
    ),
  )
