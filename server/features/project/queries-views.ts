import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Looks less than this apart are one visit: a call in between, or the list beside it, does not end it. */
export const VISIT_ENDS_MINUTES = 30
/** After a year without a look the project counts as never looked at. */
export const VIEWS_KEPT_DAYS = 365

type Look = { readonly previous_at: string | null }

/**
 * Notes that the user has the project before them now, and answers when their visit before this one ended, UTC ISO; null on the first.
 * Two devices that open it at once begin one visit: the second sees what the first wrote.
 */
export async function recordView(db: Db, userId: number, projectId: string, now: Date): Promise<string | null> {
  const moment = sql`${now.toISOString()}::timestamptz`
  const [look] = await db.query<Look>(sql`
    insert into project_views as v (user_id, project_id, looked_at) values (${userId}::int, ${projectId}::text, ${moment})
    on conflict (user_id, project_id) do update set
      previous_at = case when v.looked_at < ${moment} - make_interval(mins => ${VISIT_ENDS_MINUTES}::int) then v.looked_at else v.previous_at end,
      looked_at = greatest(v.looked_at, ${moment})
    returning v.previous_at`)
  return look!.previous_at
}

/** The same answer without noting anything. */
export async function previousView(db: Db, userId: number, projectId: string, now: Date): Promise<string | null> {
  const [look] = await db.query<Look>(sql`
    select case when v.looked_at < ${now.toISOString()}::timestamptz - make_interval(mins => ${VISIT_ENDS_MINUTES}::int)
      then v.looked_at else v.previous_at end as previous_at
    from project_views v where v.user_id = ${userId}::int and v.project_id = ${projectId}::text`)
  return look?.previous_at ?? null
}

/** Clears away what nobody looked at for a year; answers how many rows. Reads the whole table: once a day. */
export async function pruneViews(db: Db, now: Date): Promise<number> {
  return db.execute(sql`
    delete from project_views where looked_at < ${now.toISOString()}::timestamptz - make_interval(days => ${VIEWS_KEPT_DAYS}::int)`)
}
