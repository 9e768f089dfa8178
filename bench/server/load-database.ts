import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { createAccessTokens } from '#server/account/session/create-sessions.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresIn } from '../../test/server/postgres-server.ts'
import { ensureBenchData } from '../data/report-data.ts'

/** Signs the callers' tokens; passed to the measured server as AUTH_SECRET. */
export const BENCH_SECRET = `bench ${randomBytes(24).toString('hex')}`
const DATABASE = 'tamngan_bench_load'
const POSTGRES = ['shared_buffers=512MB', 'work_mem=64MB', 'max_wal_size=4GB']
/** Id of the organisation with 200,000 matches, which the load test leaves out. */
const THE_LARGEST = 2

export type Caller = {
  readonly organisationId: number
  /** The session is inserted into the database, because a thousand logins would measure argon2. */
  readonly bearer: string
  readonly projectIds: readonly string[]
}

type LoadDatabase = { readonly url: string; readonly db: OpenDb; close(): Promise<void> }

/**
 * Opens a durable PostgreSQL on the persistent folder, with the projects of `bench/data/report-data.ts`. Built once,
 * which takes minutes for a million projects. Undefined if this machine has no PostgreSQL.
 */
export async function openLoadDatabase(
  folder: string,
  projects: number,
  say: (text: string) => void,
): Promise<LoadDatabase | undefined> {
  const server = await startPostgresIn(folder, POSTGRES)
  if (server === undefined) return undefined
  const url = new URL(server.url)
  const admin = createDb(await openPostgres(url.href))
  await admin.script(`create database ${DATABASE}`).catch(() => say('using the existing database'))
  await admin.close()
  url.pathname = `/${DATABASE}`
  const db = createDb(await openPostgres(url.href))
  try {
    await migrateDatabase(db)
    await ensureBenchData(db, projects, say)
  } catch (error) {
    await db.close()
    await server.stop('fast')
    throw error
  }
  return {
    url: url.href,
    db,
    async close() {
      await db.close()
      await server.stop('fast')
    },
  }
}

/** Signs in `usersEach` users of every organisation except the largest, with marks and a live session each. */
export async function signInCallers(db: OpenDb, usersEach: number): Promise<Caller[]> {
  await db.execute(sql`
    insert into users (organisation_id, email, email_key, password_hash)
    select o.id, 'load-' || o.id || '-' || n, 'load-' || o.id || '-' || n, '-'
    from organisations o cross join generate_series(1, ${usersEach}::int) n where o.id <> ${THE_LARGEST}::int
    on conflict do nothing`)
  await db.execute(sql`
    insert into labels (user_id, id, name, color)
    select u.id, 'l' || n, 'ป้าย ' || n, 'red' from users u cross join generate_series(1, 5) n where u.email_key like 'load-%'
    on conflict do nothing`)
  await db.execute(sql`
    insert into bookmarks (user_id, project_id)
    select u.id, m.project_id from users u join project_matches m on m.organisation_id = u.organisation_id
    where u.email_key like 'load-%' and hashint8(m.project_id::bigint + u.id) % 97 = 0
    on conflict do nothing`)
  await db.execute(sql`
    insert into label_assignments (user_id, project_id, label_id)
    select u.id, m.project_id, 'l' || (1 + abs(hashint8(m.project_id::bigint)) % 5)
    from users u join project_matches m on m.organisation_id = u.organisation_id
    where u.email_key like 'load-%' and hashint8(m.project_id::bigint + u.id) % 61 = 0
    on conflict do nothing`)
  await db.script('analyze users, labels, bookmarks, label_assignments')
  return openSessions(db, usersEach)
}

/** Recreates sessions and tokens for the same users, because a token expires after half an hour. */
export async function openSessions(db: OpenDb, usersEach: number): Promise<Caller[]> {
  await db.execute(sql`delete from sessions where id like 'load-%'`)
  const users = await db.query<{ userId: number; organisationId: number; sessionId: string }>(sql`
    insert into sessions (id, user_id, is_demo, created_at, last_seen_at, expires_at)
    select 'load-' || u.id, u.id, false, now(), now(), now() + interval '1 day'
    from users u, generate_series(1, ${usersEach}::int) n
    where u.email_key = 'load-' || u.organisation_id || '-' || n
    returning user_id as "userId", id as "sessionId",
      (select u.organisation_id from users u where u.id = user_id) as "organisationId"`)
  const tokens = createAccessTokens([BENCH_SECRET])
  const projects = new Map<number, string[]>()
  const callers: Caller[] = []
  for (const user of users) {
    const matchIds = projects.get(user.organisationId) ?? (await someMatches(db, user.organisationId, 500))
    projects.set(user.organisationId, matchIds)
    const bearer = await tokens.sign(user, new Date())
    callers.push({ organisationId: user.organisationId, bearer, projectIds: matchIds })
  }
  return callers
}

/** Returns ids of the organisation's projects, the same ones on every run. */
async function someMatches(db: Db, organisationId: number, count: number): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(sql`
    select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int
    order by hashint8(m.project_id::bigint), m.project_id limit ${count}::int`)
  return rows.map(({ project_id }) => project_id)
}
