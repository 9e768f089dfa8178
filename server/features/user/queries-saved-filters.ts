import sql from 'sql-template-tag'
import type { FilterData } from '#contract/report/filter-data.ts'
import type { SavedFilter } from '#contract/user/saved-filter.ts'
import type { Db } from '#server/engine/db.ts'

export type StoredFilter = {
  id: string
  name: string /** Whether it holds the content asked about. */
  isSame: boolean
}

/** Saved filters of the user, each compared with `data` whatever the order of its keys. */
export async function findFilters(tx: Db, userId: number, data?: FilterData): Promise<StoredFilter[]> {
  const json = data === undefined ? null : JSON.stringify(data)
  return tx.query<StoredFilter>(sql`
    select id, name, coalesce(filter_data = ${json}::jsonb, false) as "isSame"
    from saved_filters where user_id = ${userId}::int`)
}

/** Adds a filter behind all others, however coarse the clock. It is the start view only while no other is. */
export async function insertFilter(tx: Db, userId: number, filter: SavedFilter): Promise<void> {
  await tx.execute(sql`
    insert into saved_filters (user_id, id, name, filter_data, is_send, is_start, created_at)
    values (${userId}::int, ${filter.id}, ${filter.filterName}, ${JSON.stringify(filter.filterData)}::jsonb, ${filter.isSend}::boolean,
      ${filter.isStart}::boolean and not exists (select from saved_filters f where f.user_id = ${userId}::int and f.is_start),
      greatest(clock_timestamp(), (select max(f.created_at) + interval '1 microsecond' from saved_filters f where f.user_id = ${userId}::int)))`)
}

export async function deleteFilter(tx: Db, userId: number, filterId: string): Promise<void> {
  await tx.execute(sql`delete from saved_filters where user_id = ${userId}::int and id = ${filterId}`)
}

export async function renameFilter(tx: Db, userId: number, filterId: string, name: string): Promise<void> {
  await tx.execute(sql`update saved_filters set name = ${name} where user_id = ${userId}::int and id = ${filterId}`)
}

export async function updateFilterData(tx: Db, userId: number, filterId: string, data: FilterData): Promise<void> {
  await tx.execute(sql`
    update saved_filters set filter_data = ${JSON.stringify(data)}::jsonb where user_id = ${userId}::int and id = ${filterId}`)
}

/** Switches the mail of a filter to the wish, or over when there is none. */
export async function setFilterMail(
  tx: Db,
  userId: number,
  filterId: string,
  wish: boolean | undefined,
): Promise<void> {
  await tx.execute(sql`
    update saved_filters set is_send = coalesce(${wish ?? null}::boolean, not is_send)
    where user_id = ${userId}::int and id = ${filterId}`)
}

/** Makes a filter the start view, in place of the one before; `isStart` false: the filter is it no more. */
export async function setStartFilter(tx: Db, userId: number, filterId: string, isStart: boolean): Promise<void> {
  // Off before on: an index allows one for each user.
  await tx.execute(sql`
    update saved_filters set is_start = false
    where user_id = ${userId}::int and is_start and (${isStart}::boolean or id = ${filterId})`)
  if (isStart)
    await tx.execute(sql`update saved_filters set is_start = true where user_id = ${userId}::int and id = ${filterId}`)
}
