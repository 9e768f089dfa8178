import sql from 'sql-template-tag'
import { isOpenKind } from '#contract/account/pursuit-settings.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { lockBoard, passVersion, writeEvents } from './queries.ts'
import { handOverViews } from './team-view-queries.ts'

export type HandOver = {
  readonly organisationId: number
  readonly from: number
  /** An active member of the organisation; null for none. */
  readonly to: number | null
  readonly by: number
  readonly at: Date
}

/**
 * Transfers a member's open pursuits and shared views to a colleague, or leaves them unassigned. Decided pursuits stay
 * with their owner. Returns the number of pursuits. Call in a transaction, as superuser.
 */
export async function handOver(tx: Db, { organisationId, from, to, by, at }: HandOver): Promise<number> {
  const board = await lockBoard(tx, organisationId)
  const open = board.stages.filter(({ kind }) => isOpenKind(kind)).map(({ id }) => id)
  const rows = await tx.query<{ project_id: string }>(sql`
    update pursuits set owner_id = ${to}::int, changed_at = ${at.toISOString()}::timestamptz
    where organisation_id = ${organisationId}::int and owner_id = ${from}::int and stage = any (${open}::text[])
    returning project_id`)
  const events = rows.map(({ project_id: projectId }) => ({
    ...{ projectId, at: at.toISOString(), by, action: 'set_owner' },
    ...{ from: String(from), to: to === null ? null : String(to) },
  }))
  const views = await handOverViews(tx, { organisationId, from, to })
  await writeEvents(tx, organisationId, board.version, events)
  if (views > 0) await passVersion(tx, organisationId)
  return rows.length
}
