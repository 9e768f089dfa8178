import sql, { bulk } from 'sql-template-tag'
import type { LabelColor } from '#contract/label-palette.ts'
import type { Db } from '#server/db/db.ts'
import { SAMPLE_ORGANISATIONS } from './sample-organisations.ts'

type SampleLabel = { readonly id: string; readonly name: string; readonly color: LabelColor }

const LABELS: readonly SampleLabel[] = [
  { id: 'เตรียมยื่น-1', name: 'เตรียมยื่น', color: 'emerald' },
  { id: 'รอราคาคู่ค้า-2', name: 'รอราคาคู่ค้า', color: 'amber' },
  { id: 'ไม่เข้าเกณฑ์-3', name: 'ไม่เข้าเกณฑ์', color: 'rose' },
]
/** Marks of one user: so many bookmarks, then labels on the next projects, the first two labels overlapping once. */
const BOOKMARKS = 6
const LABELLED = 4

/**
 * Gives the users of the first sample organisation bookmarks and labels on projects of their report, once: users who
 * marked anything are left alone. Call after matching.
 */
export async function seedMarks(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const users = await tx.query<{ userId: number; organisationId: number }>(sql`
      select u.id as "userId", u.organisation_id as "organisationId"
      from users u join organisations o on o.id = u.organisation_id
      where o.code = ${SAMPLE_ORGANISATIONS[0]!.code}
        and not exists (select from bookmarks b where b.user_id = u.id) and not exists (select from labels l where l.user_id = u.id)
      order by u.id`)
    for (const [index, user] of users.entries()) await markFor(tx, user, index)
  })
}

/** Each user gets other projects, the soonest deadlines first. */
async function markFor(
  tx: Db,
  { userId, organisationId }: { userId: number; organisationId: number },
  turn: number,
): Promise<void> {
  const count = BOOKMARKS + LABELLED
  const rows = await tx.query<{ project_id: string }>(sql`
    select project_id from project_matches
    where organisation_id = ${organisationId} and not is_archived
    order by submission_ends_on desc nulls last, project_id
    limit ${count} offset ${turn * count}`)
  const ids = rows.map((row) => row.project_id)
  const bookmarked = ids.slice(0, BOOKMARKS)
  await tx.execute(
    sql`insert into labels (user_id, id, name, color) values ${bulk(LABELS.map(({ id, name, color }) => [userId, id, name, color]))}`,
  )
  if (bookmarked.length > 0) {
    await tx.execute(
      sql`insert into bookmarks (user_id, project_id) values ${bulk(bookmarked.map((id) => [userId, id]))}`,
    )
  }
  // Starts inside the bookmarks, so that some projects carry both.
  const assignments = ids.slice(BOOKMARKS - 2).map((id, index) => [userId, id, LABELS[index % LABELS.length]!.id])
  if (assignments.length > 0) {
    await tx.execute(sql`insert into label_assignments (user_id, project_id, label_id) values ${bulk(assignments)}`)
  }
}
