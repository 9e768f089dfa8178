import sql from 'sql-template-tag'
import { isUnfinishedStageKind } from '#contract/account/pursuit-settings.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { appendPursuitEvents, bumpPursuitBoardVersion, lockPursuitBoard } from './queries.ts'
import { transferSharedViews } from './team-view-queries.ts'

export type PursuitTransfer = {
  readonly organisationId: number
  readonly from: number
  readonly to: number | null
  readonly by: number
  readonly at: Date
}

/**
 * Transfers a member's open pursuits and shared views to the active colleague `to`, or leaves them unassigned if it is
 * null. Decided pursuits stay with their owner. Returns the number of pursuits. Call in a transaction, as superuser.
 */
export async function transferPursuits(tx: Db, { organisationId, from, to, by, at }: PursuitTransfer): Promise<number> {
  const board = await lockPursuitBoard(tx, organisationId)
  const openStages = board.stages.filter(({ kind }) => isUnfinishedStageKind(kind)).map(({ id }) => id)
  const rows = await tx.query<{ project_id: string }>(sql`
    update pursuits set owner_id = ${to}::int, changed_at = ${at.toISOString()}::timestamptz
    where organisation_id = ${organisationId}::int and owner_id = ${from}::int and stage = any (${openStages}::text[])
    returning project_id`)
  const events = rows.map(({ project_id: projectId }) => ({
    ...{ projectId, at: at.toISOString(), by, action: 'set_owner' },
    ...{ from: String(from), to: to === null ? null : String(to) },
  }))
  const views = await transferSharedViews(tx, { organisationId, from, to })
  await appendPursuitEvents(tx, organisationId, board.version, events)
  if (views > 0) await bumpPursuitBoardVersion(tx, organisationId)
  return rows.length
}
