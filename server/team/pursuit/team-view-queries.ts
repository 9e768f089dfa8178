import sql from 'sql-template-tag'
import type { TeamView } from '#contract/report/team-view.ts'
import type { Db } from '#server/platform/engine/db.ts'

const OWNER_NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`

export async function listTeamViews(
  db: Db,
  { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
): Promise<TeamView[]> {
  return db.query<TeamView>(sql`
    select f.id, f.name as "filterName", f.filter_data as "filterData", f.user_id as owner, ${OWNER_NAME} as owner_name
    from saved_filters f join users u on u.id = f.user_id
    where f.shared_with = ${organisationId}::int and f.user_id <> ${userId}::int order by f.created_at, f.user_id, f.id`)
}

export async function setTeamStartView(
  tx: Db,
  { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
  { owner, id, filterName }: Pick<TeamView, 'owner' | 'id' | 'filterName'>,
): Promise<void> {
  await tx.execute(sql`update saved_filters set is_start = false where user_id = ${userId}::int and is_start`)
  await tx.execute(sql`
    insert into team_view_starts (user_id, organisation_id, owner_id, filter_id, name)
    values (${userId}::int, ${organisationId}::int, ${owner}::int, ${id}, ${filterName})
    on conflict (user_id) do update set owner_id = excluded.owner_id, filter_id = excluded.filter_id, name = excluded.name`)
}

export async function clearTeamStartView(tx: Db, userId: number): Promise<void> {
  await tx.execute(sql`delete from team_view_starts where user_id = ${userId}::int`)
}

type SharedViewKey = { readonly organisationId: number; readonly owner: number; readonly id: string }

/**
 * Renames a shared view. Like unsharing and removing, this changes a colleague's row, so call it as superuser. All
 * three affect only views shared with this organisation.
 */
export async function renameTeamView(
  tx: Db,
  { organisationId, owner, id }: SharedViewKey,
  name: string,
): Promise<void> {
  await tx.execute(sql`
    update saved_filters set name = ${name} where user_id = ${owner}::int and id = ${id} and shared_with = ${organisationId}::int`)
}

export async function unshareTeamView(tx: Db, { organisationId, owner, id }: SharedViewKey): Promise<void> {
  await tx.execute(sql`
    update saved_filters set shared_with = null where user_id = ${owner}::int and id = ${id} and shared_with = ${organisationId}::int`)
}

export async function removeTeamView(tx: Db, { organisationId, owner, id }: SharedViewKey): Promise<void> {
  await tx.execute(sql`
    delete from saved_filters where user_id = ${owner}::int and id = ${id} and shared_with = ${organisationId}::int`)
}

/**
 * Transfers a user's shared views to a colleague, or stops sharing them, and returns their number. The user's account
 * keeps a private copy, and users who start with one of these views now start with the colleague's copy.
 */
export async function transferSharedViews(
  tx: Db,
  { organisationId, from, to }: { readonly organisationId: number; readonly from: number; readonly to: number | null },
): Promise<number> {
  const transferredViews = await tx.query<{ id: string }>(sql`
    select id from saved_filters where user_id = ${from}::int and shared_with = ${organisationId}::int`)
  if (transferredViews.length === 0) return 0
  if (to !== null) {
    await tx.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, created_at, shared_with)
      select ${to}::int, f.id, f.name, f.filter_data, f.created_at, f.shared_with
      from saved_filters f where f.user_id = ${from}::int and f.shared_with = ${organisationId}::int
      on conflict (user_id, id) do update set shared_with = excluded.shared_with`)
    // If the new owner used one of these views as start view, their own copy now becomes their start view.
    await tx.execute(sql`
      update saved_filters set is_start = true where user_id = ${to}::int and not exists (
        select from saved_filters f where f.user_id = ${to}::int and f.is_start
      ) and id = (select s.filter_id from team_view_starts s where s.user_id = ${to}::int and s.owner_id = ${from}::int)`)
    await tx.execute(sql`delete from team_view_starts where user_id = ${to}::int and owner_id = ${from}::int`)
    // The new owner's calendar feeds must follow the view, which is now a filter of their own.
    await tx.execute(sql`
      update calendar_feeds set source = 'filter', filter_id = view_id, view_owner = null, view_id = null
      where user_id = ${to}::int and view_owner = ${from}::int and organisation_id = ${organisationId}::int`)
    await tx.execute(sql`
      update calendar_feeds set view_owner = ${to}::int where view_owner = ${from}::int and organisation_id = ${organisationId}::int`)
    await tx.execute(sql`
      update team_view_starts set owner_id = ${to}::int where owner_id = ${from}::int and organisation_id = ${organisationId}::int`)
  }
  await tx.execute(sql`
    update saved_filters set shared_with = null where user_id = ${from}::int and shared_with = ${organisationId}::int`)
  return transferredViews.length
}
