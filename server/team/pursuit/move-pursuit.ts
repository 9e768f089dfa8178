import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { assertProjectKnownToOrganisation } from './patch-pursuit.ts'
import { appendPursuitEvents, lockPursuitBoard } from './queries.ts'

type Carry = { readonly from: string; readonly to: string; readonly now: Date }

/**
 * Transfers marks and pursuit to the project number under which a tender was announced again. The caller's star and
 * labels and the team's labels are copied, so that the old number stays followed in case it resumes; the card moves
 * with notes and files, and both histories record it. Throws ProblemError `not_found` for a project unknown to the
 * organisation, 400 if the other number already has a card.
 */
export async function movePursuitToRetenderedProject(db: Db, actor: Actor, { from, to, now }: Carry): Promise<void> {
  const { organisationId, userId } = actor
  await assertProjectKnownToOrganisation(db, actor, from)
  await assertProjectKnownToOrganisation(db, actor, to)
  if (from === to) throw new ProblemError('bad_input')
  const ofTeam = sql`organisation_id = ${organisationId}::int and project_id = ${from}`
  // Runs as superuser, because tenants may not move notes and files.
  await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      const board = await lockPursuitBoard(tx, organisationId)
      const [cards] = await tx.query<{ own: boolean; other: boolean }>(sql`
        select exists (select from pursuits where ${ofTeam}) as own,
          exists (select from pursuits where organisation_id = ${organisationId}::int and project_id = ${to}) as other`)
      if (cards!.own && cards!.other)
        throw new ProblemError('bad_input', { text: 'เลขใหม่มีการ์ดบนบอร์ดแล้ว ย้ายการ์ดเดิมมาทับไม่ได้' })
      await tx.execute(sql`
        insert into bookmarks (user_id, project_id, created_at)
        select user_id, ${to}, ${now.toISOString()}::timestamptz from bookmarks where user_id = ${userId}::int and project_id = ${from}
        on conflict do nothing`)
      await tx.execute(sql`
        insert into label_assignments (user_id, project_id, label_id, created_at)
        select user_id, ${to}, label_id, ${now.toISOString()}::timestamptz from label_assignments
        where user_id = ${userId}::int and project_id = ${from} on conflict do nothing`)
      await tx.execute(sql`
        insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
        select organisation_id, ${to}, label_id, ${now.toISOString()}::timestamptz from team_label_assignments where ${ofTeam} on conflict do nothing`)
      if (!cards!.own) return
      for (const table of [sql`pursuit_notes`, sql`note_files`])
        await tx.execute(sql`update ${table} set project_id = ${to} where ${ofTeam}`)
      await tx.execute(
        sql`update pursuits set project_id = ${to}, changed_at = ${now.toISOString()}::timestamptz where ${ofTeam}`,
      )
      const at = now.toISOString()
      await appendPursuitEvents(tx, organisationId, board.version, [
        { projectId: from, at, by: userId, action: 'carry', from, to },
        { projectId: to, at, by: userId, action: 'carry', from, to },
      ])
    }),
  )
}
