import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { LineCardFacts } from './line-cards.ts'

type StoredFacts = Omit<LineCardFacts, 'budget'> & { budget_satang: number | null }

/** Returns public facts by project id. Reads no organisation data, so the facts are the same for all users. */
export async function findLineCardFacts(
  db: Db,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, LineCardFacts>> {
  const rows = await db.query<StoredFacts>(sql`
    select p.project_id, p.name, coalesce(nullif(d.sub_name, ''), d.name) as agency, p.budget_satang, p.method, p.method_type, p.status, p.movement, p.is_archived,
      p.draft_published_on as draft_published_date, p.bidding_invited_on as bidding_invite_date, p.movement_on as movement_date,
      p.draft_discussion_ends_on as draft_discussion_end_date, p.submission_ends_on as submission_end_date, p.submission_time,
      p.winner_announced_on as winner_announce_date
    from projects p join departments d on d.id = p.department_id where p.project_id = any (${[...projectIds]}::text[])`)
  return new Map(
    rows.map(({ budget_satang: satang, ...row }) => [row.project_id, { ...row, budget: satangToBaht(satang) }]),
  )
}

export type ProjectMarks = { readonly isInReport: boolean; readonly isStarred: boolean }

export async function findProjectMarks(
  db: Db,
  { userId, organisationId }: { readonly userId: number; readonly organisationId: number },
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, ProjectMarks>> {
  const rows = await db.query<ProjectMarks & { id: string }>(sql`
    select m.project_id as id, true as "isInReport",
      exists (select from bookmarks b where b.user_id = ${userId}::int and b.project_id = m.project_id) as "isStarred"
    from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...projectIds]}::text[])`)
  return new Map(rows.map(({ id, ...marks }) => [id, marks]))
}
