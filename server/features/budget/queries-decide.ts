import sql from 'sql-template-tag'
import type { LinkDecision } from '#contract/budget/budget.ts'
import type { Db } from '#server/engine/db.ts'

/** Whose decision about which link. */
export type DecidedLink = {
  readonly organisationId: number
  readonly userId: number
  readonly itemId: number
  readonly projectId: string
  readonly at: Date
}

/** Whether an organisation sees this link: one that is suggested, or that it decided about. */
export async function isKnownLink(
  db: Db,
  { organisationId, itemId, projectId }: Pick<DecidedLink, 'organisationId' | 'itemId' | 'projectId'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from budget_links l where l.item_id = ${itemId}::int and l.project_id = ${projectId}::text and (l.confidence > 0 or exists (
      select from budget_link_decisions d
      where d.organisation_id = ${organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    ))`)
  return rows.length > 0
}

/** Stores a decision, or forgets it; false when nothing changed by it. */
export async function storeDecision(tx: Db, link: DecidedLink, decision: LinkDecision): Promise<boolean> {
  const { organisationId, userId, itemId, projectId, at } = link
  const changed =
    decision === null
      ? await tx.execute(sql`
          delete from budget_link_decisions
          where organisation_id = ${organisationId}::int and item_id = ${itemId}::int and project_id = ${projectId}::text`)
      : await tx.execute(sql`
          insert into budget_link_decisions as d (organisation_id, item_id, project_id, decision, decided_by, decided_at)
          values (${organisationId}::int, ${itemId}::int, ${projectId}::text, ${decision}, ${userId}::int, ${at.toISOString()}::timestamptz)
          on conflict (organisation_id, item_id, project_id) do update
            set decision = excluded.decision, decided_by = excluded.decided_by, decided_at = excluded.decided_at
          where d.decision <> excluded.decision`)
  return changed > 0
}
