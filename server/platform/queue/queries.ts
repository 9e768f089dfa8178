import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobHandler } from './job.ts'

export const DEFAULT_JOB_LEASE_SECONDS = 60
/** Arbitrary advisory lock id, the same in every process: serializes claims, so that no key goes to two workers. */
const CLAIM_LOCK = 8_246_913_371
const NO_LIMIT = { timeoutMs: 0 }

const timestamp = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`
const leaseEnd = (kind: JobHandler<never>, now: Date): Sql =>
  sql`${timestamp(now)} + make_interval(secs => ${kind.leaseSeconds ?? DEFAULT_JOB_LEASE_SECONDS})`
const due = (job: Sql, now: Date): Sql => sql`
  (${job}.state in ('waiting', 'running') and ${job}.run_at <= ${timestamp(now)} and (${job}.state = 'waiting' or ${job}.lease_until <= ${timestamp(now)}))`

export async function findDueJobKinds(db: Db, kinds: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db.query<{ kind: string }>(
    sql`select k.kind from unnest(${[...kinds]}::text[]) k (kind)
      where exists (select from jobs j where j.kind = k.kind and ${due(sql`j`, now)})`,
    NO_LIMIT,
  )
  return new Set(rows.map(({ kind }) => kind))
}

export type JobClaim = {
  readonly kind: string
  readonly key: string
  readonly ids: readonly number[]
  readonly holder: string
  readonly payloads: readonly unknown[]
  readonly organisationId: number | undefined
  readonly userId: number | undefined
  readonly attempts: number
}

type ClaimedRow = {
  id: number
  key: string
  payload: unknown
  organisationId: number | null
  userId: number | null
  attempts: number
}

/**
 * SQL for the organisation of a job, 0 for the server's own jobs. The 0 is a literal to match the index `jobs_served`.
 */
const served = (job: Sql): Sql => sql`coalesce(${job}.organisation_id, 0)`

const nextByOrganisation = (kind: string, now: Date): Sql => sql`
  select j.id, j.key from jobs j
  where j.id = (
    select first.id from (
      select distinct on (${served(sql`j`)}) j.id, j.run_at, ${served(sql`j`)} as organisation from jobs j
      where j.kind = ${kind} and ${due(sql`j`, now)} and ${isFree(sql`j`, now)}
      order by ${served(sql`j`)}, j.run_at, j.id
    ) first
    where first.organisation = 0 or not exists (
      select from jobs busy
      where busy.kind = ${kind} and ${served(sql`busy`)} = first.organisation and busy.state = 'running' and busy.lease_until > ${timestamp(now)}
    )
    order by (select max(past.started_at) from jobs past where past.kind = ${kind} and ${served(sql`past`)} = first.organisation) nulls first,
      first.run_at, first.id
    limit 1
  ) for update skip locked`

const isFree = (job: Sql, now: Date): Sql => sql`not exists (
  select from jobs busy
  where busy.kind = ${job}.kind and busy.key = ${job}.key and busy.state = 'running' and busy.lease_until > ${timestamp(now)}
)`

const nextDue = (kind: string, now: Date): Sql => sql`
  select j.id, j.key from jobs j
  where j.kind = ${kind} and ${due(sql`j`, now)} and ${isFree(sql`j`, now)}
  order by j.run_at, j.id limit 1 for update skip locked`

export async function loadRecentJobDurations(
  db: Db,
  { kind }: { readonly kind: string },
  organisationId: number,
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(sql`
    select coalesce(sum(extract(epoch from j.finished_at - j.started_at)), 0)::float8 as seconds from jobs j
    where j.kind = ${kind} and ${served(sql`j`)} = ${organisationId}::int and j.started_at > ${timestamp(since)} and j.finished_at is not null`)
  return row!.seconds
}

/**
 * Claims a job for this worker until the lease ends: the longest-waiting one or, for a kind served by organisation, the
 * next job by organisation. For a kind that merges, also claims the other due jobs of the same key. Skips keys that are
 * running. Returns undefined when nothing is due.
 */
export async function claimJob(
  db: Db,
  kind: JobHandler<never>,
  holder: string,
  now: Date,
): Promise<JobClaim | undefined> {
  const rows = await db.transaction(
    async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`, NO_LIMIT)
      const claimed = await tx.query<ClaimedRow>(sql`
        with next as (${kind.servesByOrganisation ? nextByOrganisation(kind.kind, now) : nextDue(kind.kind, now)}), own as (
          select j.id from jobs j join next on j.id = next.id or (${kind.merges}::boolean and j.key = next.key)
          where j.kind = ${kind.kind} and ${due(sql`j`, now)}
          for update of j skip locked
        )
        update jobs j set state = 'running', attempts = j.attempts + 1, dedupe_key = null, progress = null, finished_at = null,
          leased_by = ${holder}, lease_until = ${leaseEnd(kind, now)}, started_at = ${timestamp(now)}
        from own where j.id = own.id
        returning j.id, j.key, j.payload, j.organisation_id as "organisationId", j.user_id as "userId", j.attempts`)
      return claimed.sort((a, b) => a.id - b.id)
    },
    { idleTimeoutMs: 0 },
  )
  const [first] = rows
  if (!first) return undefined
  return {
    kind: kind.kind,
    key: first.key,
    ids: rows.map(({ id }) => id),
    holder,
    payloads: rows.map(({ payload }) => payload),
    organisationId: first.organisationId ?? undefined,
    userId: first.userId ?? undefined,
    attempts: Math.max(...rows.map(({ attempts }) => attempts)),
  }
}

const claimedRows = ({ ids, holder }: JobClaim): Sql =>
  sql`id = any (${[...ids]}::bigint[]) and leased_by = ${holder} and state = 'running'`

/**
 * Extends the lease and stores the progress, if any. Inside a transaction it also locks the job rows until the
 * transaction ends. Returns false if the claim is lost.
 */
export async function renewJobClaim(
  db: Db,
  kind: JobHandler<never>,
  claim: JobClaim,
  { now, progress }: { readonly now: Date; readonly progress?: object | undefined },
): Promise<boolean> {
  const renewed = await db.execute(
    sql`update jobs set lease_until = ${leaseEnd(kind, now)}, progress = coalesce(${progress === undefined ? null : JSON.stringify(progress)}::jsonb, progress)
      where ${claimedRows(claim)}`,
    NO_LIMIT,
  )
  return renewed === claim.ids.length
}

export type JobOutcome =
  | { readonly state: 'done'; readonly progress: object | undefined }
  | { readonly state: 'dead'; readonly error: string }
  /** If `error` is undefined, nothing failed and the attempt does not count. */
  | { readonly state: 'waiting'; readonly runAt: Date; readonly error: string | undefined }

export async function recordJobOutcome(tx: Db, claim: JobClaim, outcome: JobOutcome, now: Date): Promise<boolean> {
  const error = 'error' in outcome ? (outcome.error ?? null) : null
  const progress = 'progress' in outcome && outcome.progress !== undefined ? JSON.stringify(outcome.progress) : null
  const isWaiting = outcome.state === 'waiting'
  const settled = await tx.execute(sql`
    update jobs set state = ${outcome.state}, leased_by = null, lease_until = null, last_error = ${error},
      progress = coalesce(${progress}::jsonb, progress),
      attempts = attempts - case when ${isWaiting && error === null}::boolean then 1 else 0 end,
      run_at = coalesce(${isWaiting ? outcome.runAt.toISOString() : null}::timestamptz, run_at),
      finished_at = case when ${!isWaiting}::boolean then ${timestamp(now)} end
    where ${claimedRows(claim)}`)
  return settled === claim.ids.length
}

export async function pruneJobs(
  db: Db,
  { kind, retentionDays = 7, retainsLast = false, reviveDays }: JobHandler<never>,
  now: Date,
): Promise<void> {
  if (reviveDays !== undefined)
    await db.execute(sql`
      update jobs set state = 'waiting', attempts = 0, run_at = ${timestamp(now)}, finished_at = null
      where kind = ${kind} and state = 'dead' and finished_at < ${timestamp(now)} - make_interval(days => ${reviveDays}::int)`)
  await db.execute(sql`
    delete from jobs j where j.kind = ${kind} and j.finished_at < ${timestamp(now)} - make_interval(days => ${retentionDays}::int)
      and (not ${retainsLast}::boolean or exists (select from jobs later where later.kind = j.kind and later.key = j.key and later.id > j.id))`)
}

/**
 * Releases all leases of killed processes. Only safe with exclusive use of the database: the embedded engine on open,
 * and after a restore.
 */
export async function releaseAllLeases(db: Db): Promise<void> {
  await db.execute(sql`delete from job_leases`)
  await db.execute(sql`update jobs set state = 'waiting', leased_by = null, lease_until = null where state = 'running'`)
}
