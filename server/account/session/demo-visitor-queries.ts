import { randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { SESSION_IDLE_TIMEOUT } from './queries.ts'

/** Grace period between creating a visitor's user and the session, during which the user must not be removed. */
const CREATION_GRACE = '1 minute'

export const MAX_DEMO_VISITORS = 2_000

export async function isDemoVisitorLimitReached(db: Db): Promise<boolean> {
  const last = await db.query(sql`select from users where is_demo_visitor offset ${MAX_DEMO_VISITORS - 1}::int limit 1`)
  return last.length > 0
}

/**
 * Creates a user for one demo visitor, copying the names, settings and marks of user `modelId`, with all emails
 * switched off. Returns the id. Call in a transaction. Login is impossible: `toEmailKey` never produces capitals, and
 * no password matches this hash.
 */
export async function copyUserForDemoVisitor(tx: Db, modelId: number, now: Date): Promise<number> {
  const key = `VISITOR ${randomBytes(16).toString('hex')}`
  const [visitor] = await tx.query<{ id: number }>(sql`
    insert into users (organisation_id, email, email_key, password_hash, first_name, last_name, role, is_send_report_email,
      is_noti_e_bidding, is_access_budget_year, customize_report_table, max_labels, is_demo_visitor, created_at)
    select organisation_id, email, ${key}, 'none', first_name, last_name, role, false, false, is_access_budget_year,
      customize_report_table, max_labels, true, ${now.toISOString()}::timestamptz
    from users where id = ${modelId}::int
    returning id`)
  const id = visitor!.id
  const copies: readonly (readonly [table: Sql, columns: Sql, values: Sql])[] = [
    [sql`bookmarks`, sql`project_id, created_at`, sql`project_id, created_at`],
    [sql`hidden_projects`, sql`project_id, created_at`, sql`project_id, created_at`],
    [sql`labels`, sql`id, name, color, created_at`, sql`id, name, color, created_at`],
    [sql`label_assignments`, sql`project_id, label_id, created_at`, sql`project_id, label_id, created_at`],
    [
      sql`saved_filters`,
      sql`id, name, filter_data, is_send, created_at`,
      sql`id, name, filter_data, false, created_at`,
    ],
  ]
  for (const [table, columns, values] of copies) {
    await tx.execute(sql`
      insert into ${table} (user_id, ${columns}) select ${id}::int, ${values} from ${table} where user_id = ${modelId}::int`)
  }
  return id
}

/**
 * Deletes up to `limit` visitors whose sessions have ended, with their marks, and returns their number. Safe to run in
 * parallel.
 */
export async function removeEndedDemoVisitors(db: Db, now: Date, limit = 20): Promise<number> {
  const at = now.toISOString()
  return db.execute(sql`
    delete from users where id in (
      select u.id from users u
      where u.is_demo_visitor and u.created_at < ${at}::timestamptz - ${CREATION_GRACE}::interval
        and not exists (
          select from sessions s
          where s.user_id = u.id and s.revoked_at is null and s.expires_at > ${at}::timestamptz
            and s.last_seen_at > ${at}::timestamptz - ${SESSION_IDLE_TIMEOUT}::interval
        )
      order by u.id limit ${limit}::int for update skip locked
    )`)
}

/**
 * Lifetime of the cached id of the demo organisation. Short, because a restored backup may add the demo or change its
 * id.
 */
const DEMO_ID_CACHE_MS = 60_000

export function createDemoOrganisationCheck(db: Db): (organisation: string) => Promise<boolean> {
  let cached: { readonly id: Promise<string | undefined>; readonly until: number } | undefined
  async function find(): Promise<string | undefined> {
    const [demo] = await runWithoutTenant(() =>
      db.query<{ id: number }>(sql`select id from organisations where code = ${DEMO_ORGANISATION_CODE}`),
    )
    return demo && String(demo.id)
  }
  return async (organisation) => {
    const now = performance.now()
    if (cached === undefined || cached.until < now) {
      const lookup = { id: find(), until: now + DEMO_ID_CACHE_MS }
      cached = lookup
      lookup.id.catch(() => {
        if (cached === lookup) cached = undefined
      })
    }
    return (await cached.id) === organisation
  }
}
