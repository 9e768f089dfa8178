import sql, { type Sql } from 'sql-template-tag'
import { IDENTITY_PROOF_LIFETIME_MINUTES } from '#contract/account/second-factor.ts'
import { DEMO_ORGANISATION_CODE, OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { RETIRE_DEMO_DATA_JOB_NAME } from '#server/account/demo/is-demo-data-allowed.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { DEMO_SCHEMA_EXISTS_SQL } from '#server/platform/engine/demo-schema.ts'
import type { OrganisationFeature } from '#server/platform/route/actor.ts'

/** Maximum attempts within the window before the account is locked, and the maximum lock (R5). */
const MAX_ATTEMPTS = 5
const WINDOW = '15 minutes'
const MAX_BLOCK_MINUTES = 15
const FAILURE_RETENTION = '1 hour'

/**
 * Counts an attempt and returns true; returns false without counting while locked. Parallel calls are serialised by the
 * row lock.
 */
export async function reserveLoginAttempt(db: Db, emailKey: string, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const rows = await db.query(sql`
    insert into login_failures as f (email_key, failures, first_failed_at, blocked_until)
    values (${emailKey}, 1, ${at}::timestamptz, null)
    on conflict (email_key) do update set
      failures = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                       and coalesce(f.blocked_until <= ${at}::timestamptz - ${FAILURE_RETENTION}::interval, true)
                      then 1 else f.failures + 1 end,
      first_failed_at = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                              and coalesce(f.blocked_until <= ${at}::timestamptz - ${FAILURE_RETENTION}::interval, true)
                             then ${at}::timestamptz else f.first_failed_at end,
      blocked_until = case when f.first_failed_at <= ${at}::timestamptz - ${WINDOW}::interval
                            and coalesce(f.blocked_until <= ${at}::timestamptz - ${FAILURE_RETENTION}::interval, true) then null
                           when f.failures + 1 >= ${MAX_ATTEMPTS}::int
                           then ${at}::timestamptz + interval '1 minute'
                                * least(${MAX_BLOCK_MINUTES}::int, power(2, least(f.failures + 1 - ${MAX_ATTEMPTS}::int, 10))::int)
                           end
    where f.blocked_until is null or f.blocked_until <= ${at}::timestamptz
    returning f.failures`)
  return rows.length > 0
}

export async function findLoginBlockEndTime(db: Db, emailKey: string): Promise<string | null> {
  const rows = await db.query<{ until: string | null }>(sql`
    select blocked_until as until from login_failures where email_key = ${emailKey}`)
  return rows[0]?.until ?? null
}

export async function clearLoginFailures(db: Db, emailKey: string): Promise<void> {
  await db.execute(sql`delete from login_failures where email_key = ${emailKey}`)
}

/** Deletes counts that no longer affect a lock, so that guesses at random addresses do not fill the table. */
export async function pruneLoginFailures(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from login_failures
    where first_failed_at < ${now.toISOString()}::timestamptz - interval '1 day'
      and coalesce(blocked_until < ${now.toISOString()}::timestamptz - ${FAILURE_RETENTION}::interval, true)`)
}

export const SESSION_IDLE_TIMEOUT = '7 days'
/** Idle timeout of operators: an unattended session would expose the whole product (R61). */
const OPERATOR_IDLE_TIMEOUT = '30 minutes'
export const sessionIdleTimeoutSql: Sql = sql`case when u.role = ${OPERATOR_ROLE} then ${OPERATOR_IDLE_TIMEOUT}::interval else ${SESSION_IDLE_TIMEOUT}::interval end`
/**
 * Limits how long a request waits for the last-seen write, which blocks forever while a synchronous standby is missing.
 */
const SEEN_WRITE_TIMEOUT_MS = 1_000
const SEEN_PRECISION = '1 minute'

export type LoginCandidate = {
  userId: number
  organisationId: number
  passwordHash: string
  role: string
  email: string
  /** False for a disabled user or organisation, and for the demo organisation, which has no passwords. */
  mayLogin: boolean
  /**
   * True when the organisation requires its login provider. Super users may always use their password, in case the
   * provider fails.
   */
  mustUseOrganisation: boolean
}

const candidate = sql`u.id as "userId", o.id as "organisationId", u.password_hash as "passwordHash", u.role, u.email,
    not u.is_disabled and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE} as "mayLogin",
    u.role <> 'super_user' and exists (
      select from login_domains d where d.organisation_id = o.id and d.verified_at is not null and d.rule = 'must'
        and d.domain = substring(u.email_key from '[^@]*$')) as "mustUseOrganisation"
  from users u join organisations o on o.id = u.organisation_id`

export async function findLoginCandidate(db: Db, emailKey: string): Promise<LoginCandidate | undefined> {
  const rows = await db.query<LoginCandidate>(sql`select ${candidate} where u.email_key = ${emailKey}`)
  return rows[0]
}

export async function findLoginCandidateById(db: Db, userId: number): Promise<LoginCandidate | undefined> {
  const rows = await db.query<LoginCandidate>(sql`select ${candidate} where u.id = ${userId}::int`)
  return rows[0]
}

/**
 * Returns the demo user that is copied for each visitor; undefined without a demo, or when the demo data was retired
 * and is missing (backups do not contain it). Never a visitor's user.
 */
export async function findDemoUser(db: Db): Promise<{ userId: number; organisationId: number } | undefined> {
  const rows = await db.query<{ userId: number; organisationId: number }>(sql`
    select u.id as "userId", o.id as "organisationId"
    from users u join organisations o on o.id = u.organisation_id
    where o.code = ${DEMO_ORGANISATION_CODE} and not u.is_demo_visitor and not u.is_disabled and not o.is_disabled
      and (${DEMO_SCHEMA_EXISTS_SQL} or not exists (select from job_runs r where r.job = ${RETIRE_DEMO_DATA_JOB_NAME}))
    order by u.id limit 1`)
  return rows[0]
}

export async function replacePasswordHash(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.execute(sql`update users set password_hash = ${passwordHash} where id = ${userId}`)
}

export type NewSession = {
  id: string
  userId: number
  refreshHash: string | null
  isDemo: boolean
  isFactorTrusted: boolean
  userAgent: string | null
  address: string | null
  createdAt: Date
  expiresAt: Date
}

export const MAX_SESSIONS_PER_USER = 20

/** Call in a transaction: parallel logins must see each other to end surplus sessions. */
export async function insertSession(tx: Db, session: NewSession): Promise<void> {
  const createdAt = session.createdAt.toISOString()
  await tx.query(sql`select from users where id = ${session.userId}::int for no key update`)
  await tx.execute(sql`
    update sessions set revoked_at = ${createdAt}::timestamptz
    where id in (
      select id from sessions
      where user_id = ${session.userId}::int and revoked_at is null and expires_at > ${createdAt}::timestamptz
      order by last_seen_at desc, created_at desc, id offset ${MAX_SESSIONS_PER_USER - 1}::int)`)
  await tx.execute(sql`
    with opened as (
      insert into sessions (id, user_id, is_demo, user_agent, address, created_at, last_seen_at, expires_at, proved_at, is_factor_trusted)
      values (${session.id}, ${session.userId}, ${session.isDemo}, ${session.userAgent}, ${session.address}, ${createdAt}::timestamptz, ${createdAt}::timestamptz,
              ${session.expiresAt.toISOString()}::timestamptz, case when ${session.isDemo}::boolean then null else ${createdAt}::timestamptz end,
              ${session.isFactorTrusted}::boolean)
      returning id, created_at
    )
    insert into refresh_tokens (hash, session_id, created_at)
    select ${session.refreshHash}::text, id, created_at from opened where ${session.refreshHash}::text is not null`)
}

export type LiveSession = {
  userId: number
  organisationId: number
  role: string
  isDemo: boolean
  isInDemoSchema: boolean
  seenLongAgo: boolean
  isProved: boolean
  /**
   * True when a second factor is required but missing: always for operators, otherwise if the requirement predates this
   * login.
   */
  isSetUpDue: boolean
  features: OrganisationFeature[]
}

/** Returns the session unless it is revoked or expired, or its user or organisation is disabled (R8, R13). */
export async function findLiveSession(db: Db, sessionId: string, now: Date): Promise<LiveSession | undefined> {
  const at = now.toISOString()
  const rows = await db.query<LiveSession>(
    sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.role, s.is_demo as "isDemo", s.is_demo and ${DEMO_SCHEMA_EXISTS_SQL} as "isInDemoSchema",
           s.last_seen_at < ${at}::timestamptz - ${SEEN_PRECISION}::interval as "seenLongAgo",
           coalesce(s.proved_at > ${at}::timestamptz - make_interval(mins => ${IDENTITY_PROOF_LIFETIME_MINUTES}::int), false) as "isProved",
           coalesce((u.role = ${OPERATOR_ROLE} or s.created_at >= o.second_factor_required_at) and not s.is_demo and not s.is_factor_trusted
             and not exists (select from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null)
             and not exists (select from passkeys k where k.user_id = u.id), false) as "isSetUpDue",
           array_remove(array[
             case when not o.is_access_budget_year_only then 'report' end,
             -- the user's own flag can only take away (D14)
             case when o.is_access_budget_year_only or (o.is_access_budget_year and coalesce(u.is_access_budget_year, true)) then 'budget_year' end,
             case when o.is_company_compare and not o.is_access_budget_year_only then 'company_compare' end,
             case when o.is_access_company_comparison and not o.is_access_budget_year_only then 'company_comparison' end
           ], null) as features
    from sessions s join users u on u.id = s.user_id join organisations o on o.id = u.organisation_id
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${at}::timestamptz
      and s.last_seen_at > ${at}::timestamptz - ${sessionIdleTimeoutSql}
      and not u.is_disabled and not o.is_disabled`,
    { name: 'live_session' },
  )
  return rows[0]
}

export async function markSessionVerified(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.execute(sql`update sessions set proved_at = ${now.toISOString()}::timestamptz where id = ${sessionId}`)
}

export async function markSessionSeen(db: Db, sessionId: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(
    sql`
    update sessions set last_seen_at = ${at}::timestamptz
    where id = ${sessionId} and last_seen_at < ${at}::timestamptz - ${SEEN_PRECISION}::interval`,
    { timeoutMs: SEEN_WRITE_TIMEOUT_MS },
  )
}

export type EndedSession = { sessionId: string; userId: number; organisationId: number }

/** Revokes sessions by refresh token hash or id and returns those that were alive. Idempotent (R11). */
export async function revokeSessions(
  db: Db,
  by: { refreshHash: string | null; sessionId: string | null },
  now: Date,
): Promise<EndedSession[]> {
  return db.query<EndedSession>(sql`
    update sessions s set revoked_at = ${now.toISOString()}::timestamptz
    from users u
    where u.id = s.user_id and s.revoked_at is null
      and (s.id = ${by.sessionId}::text
           or s.id = (select t.session_id from refresh_tokens t where t.hash = ${by.refreshHash}::text))
    returning s.id as "sessionId", u.id as "userId", u.organisation_id as "organisationId"`)
}

export async function findSessionByRefreshToken(db: Db, refreshHash: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select session_id as id from refresh_tokens where hash = ${refreshHash}`,
  )
  return rows.map(({ id }) => id)
}

type StoredSession = {
  id: string
  userAgent: string | null
  address: string | null
  createdAt: string
  lastSeenAt: string
}

export async function listSessions(db: Db, userId: number, now: Date): Promise<StoredSession[]> {
  const at = now.toISOString()
  return db.query<StoredSession>(sql`
    select id, user_agent as "userAgent", address, created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions
    where user_id = ${userId}::int and revoked_at is null and expires_at > ${at}::timestamptz
      and last_seen_at > ${at}::timestamptz - ${SESSION_IDLE_TIMEOUT}::interval
    order by last_seen_at desc, id`)
}

export async function endSession(db: Db, userId: number, sessionId: string, now: Date): Promise<boolean> {
  const updatedCount = await db.execute(sql`
    update sessions set revoked_at = ${now.toISOString()}::timestamptz
    where id = ${sessionId} and user_id = ${userId}::int and revoked_at is null`)
  return updatedCount === 1
}

export async function findUserEmail(db: Db, userId: number): Promise<string | undefined> {
  const rows = await db.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
  return rows[0]?.email
}

const RECENT_USE = '7 days'
const MAX_RECENT_ORGANISATIONS = 20

type OrganisationUser = { readonly organisationId: number; readonly userId: number }

export async function findRecentOrganisationUsers(db: Db, now: Date): Promise<OrganisationUser[]> {
  return await db.query<OrganisationUser>(sql`
    select u.organisation_id as "organisationId", max(u.id) as "userId"
    from sessions s join users u on u.id = s.user_id
    where not s.is_demo and s.last_seen_at > ${now.toISOString()}::timestamptz - ${RECENT_USE}::interval
    group by u.organisation_id order by max(s.last_seen_at) desc, u.organisation_id limit ${MAX_RECENT_ORGANISATIONS}::int`)
}
