import sql from 'sql-template-tag'
import { isOpenKind } from '#contract/account/pursuit-settings.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { lockBoard, passVersion, writeEvents } from './queries.ts'
import { handOverViews } from './queries-views.ts'

export type HandOver = {
  readonly organisationId: number
  /** Whose account is closed. */
  readonly from: number
  /** An open member of the organisation; null: nobody. */
  readonly to: number | null
  /** Id of the user who closes the account. */
  readonly by: number
  readonly at: Date
}

/**
 * Gives all open pursuits of a member, and the views that they share with the team, to a colleague or to nobody. Decided pursuits keep their owner. Answers the number of pursuits.
 * Call in a transaction, as the database's owner.
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
