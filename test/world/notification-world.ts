import sql from 'sql-template-tag'
import type { Notification } from '#contract/account/notification.ts'
import { notifyUsersOfDataLoadChanges } from '#server/account/notification/create-notifications.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { addLoad, type ProjectInput, putProjects } from './report-world.ts'

export const TODAY = '2026-11-20'

/**
 * Publishes a load as the job does: writes, matches and notifies in one transaction. Returns its id. A project that
 * already exists counts as changed, with `changes` (field → new value) as its history.
 */
export async function loadAndNotify(
  db: Db,
  projects: readonly Partial<ProjectInput>[],
  { today = TODAY, at = new Date(`${today}T02:00:00Z`), changes = {} }: LoadOptions = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const load = await addLoad(tx)
    await putProjects(tx, load, projects)
    const history = Object.entries(changes).map(([field, new_value]) => ({ field, new_value }))
    await tx.execute(sql`
      insert into project_changes (project_id, load_id, field, old_value, new_value)
      select p.project_id, ${load}::bigint, c.field, 'before', c.new_value
      from projects p cross join jsonb_to_recordset(${JSON.stringify(history)}::jsonb) as c (field text, new_value text)
      where p.written_load = ${load}::bigint and p.first_load <> ${load}::bigint`)
    await matchDataLoadProjects(tx, load)
    await notifyUsersOfDataLoadChanges(tx, load, { today, at })
    return load
  })
}
export type LoadOptions = {
  readonly today?: string
  readonly at?: Date
  readonly changes?: Readonly<Record<string, string>>
}

export async function starProjects(db: Db, userId: number, ...projectIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into bookmarks (user_id, project_id) select ${userId}::int, unnest(${[...projectIds]}::text[])`)
}

export async function listNotificationLines(db: Db): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', user_id, type, project_id, due_on) as line from notifications order by id`)
  return rows.map(({ line }) => line)
}

export const formatNotification = ({ type, project_id, due_date, outdated, read }: Notification): string =>
  [type, project_id, due_date, outdated && 'outdated', read && 'read'].filter(Boolean).join(' ')
