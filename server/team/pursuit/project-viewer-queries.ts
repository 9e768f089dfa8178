import sql from 'sql-template-tag'
import type { ColleagueProjectView } from '#contract/report/project-views.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'

/**
 * Lists the colleagues who viewed these projects and share their views, latest first. Returns an empty list unless the
 * caller shares theirs too. Excludes closed accounts.
 */
export async function listProjectViewers(
  db: Db,
  { organisationId, userId }: Pick<Actor, 'organisationId' | 'userId'>,
  projectIds: readonly string[],
): Promise<ColleagueProjectView[]> {
  const looks = await db.query<Omit<ColleagueProjectView, 'looked_at'> & { at: string }>(sql`
    select v.project_id, u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name, to_json(v.looked_at) #>> '{}' as at
    from users u join project_views v on v.user_id = u.id
    where u.organisation_id = ${organisationId}::int and u.id <> ${userId}::int and not u.is_disabled and u.shares_looks_since <= v.looked_at
      and v.project_id = any (${[...projectIds]}::text[])
      and exists (select from users me where me.id = ${userId}::int and me.shares_looks_since is not null)
    order by v.looked_at desc, u.id`)
  return looks.map(({ at, ...look }) => ({ ...look, looked_at: new Date(at).toISOString() }))
}
