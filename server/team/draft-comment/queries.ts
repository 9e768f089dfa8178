import sql from 'sql-template-tag'
import type { DraftComment } from '#contract/team/draft-comment.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function listDraftComments(db: Db, organisationId: number, projectId: string): Promise<DraftComment[]> {
  const rows = await db.query<DraftComment>(sql`
    select id, commented_on, text, user_id as by, created_at, withdrawn_at from draft_comments
    where organisation_id = ${organisationId}::int and project_id = ${projectId} order by commented_on desc, id desc`)
  const iso = (at: string) => new Date(at).toISOString()
  return rows.map(({ created_at, withdrawn_at, ...comment }) => ({
    ...comment,
    created_at: iso(created_at),
    withdrawn_at: withdrawn_at && iso(withdrawn_at),
  }))
}

type NewComment = Pick<DraftComment, 'commented_on' | 'text' | 'by'> & { readonly at: string }

export async function insertDraftComment(
  tx: Db,
  organisationId: number,
  projectId: string,
  { commented_on, text, by, at }: NewComment,
): Promise<void> {
  await tx.execute(sql`
    insert into draft_comments (organisation_id, project_id, user_id, commented_on, text, created_at)
    values (${organisationId}::int, ${projectId}, ${by}::int, ${commented_on}::date, ${text}, ${at}::timestamptz)`)
}

export async function withdrawDraftComment(tx: Db, organisationId: number, id: number, at: string): Promise<void> {
  await tx.execute(sql`
    update draft_comments set withdrawn_at = ${at}::timestamptz where organisation_id = ${organisationId}::int and id = ${id}::bigint`)
}
