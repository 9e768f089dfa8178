import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Parts of a scope; absent is none. */
type ScopeParts = {
  readonly expressions?: readonly string[]
  readonly terms?: readonly string[]
  readonly units?: readonly string[]
  readonly projects?: readonly string[]
}

/**
 * Which projects a change of an organisation's rules may touch; they alone are matched anew. `expressions`: name keywords that came, went or
 * changed, in the search grammar. `terms`: terms of AI keywords (plain text). `units`: departments and units. `projects`: ids.
 */
export type MatchScope = { readonly all: true } | ScopeParts

/** Asks for the matching that a change of rules needs, in the transaction that changes them; `rules_version` moves on with it. */
export async function requestMatching(tx: Db, organisationId: number, scope: MatchScope, at: Date): Promise<void> {
  await tx.execute(sql`update organisations set rules_version = rules_version + 1 where id = ${organisationId}::int`)
  await tx.execute(sql`
    insert into match_requests (organisation_id, scope, requested_at, next_at)
    values (${organisationId}::int, ${JSON.stringify(scope)}::jsonb, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz)`)
}

/** A worker that dies leaves its work to the others after this long (R52). */
const LEASE = '60 seconds'
/** Any number, the same in every process: claims are made one after the other, so that no organisation goes to two workers. */
const CLAIM_LOCK = 8_246_913_371
/** A worker waits for its turn behind a load, however long that takes. */
const NO_LIMIT = { timeoutMs: 0 }

/** Requests of one organisation that one worker carries out together. */
export type ClaimedMatching = {
  readonly ids: readonly number[]
  readonly holder: string
  readonly organisationId: number
  readonly scope: MatchScope
  /** How often the most tried of them was begun, this time included. */
  readonly attempts: number
}

const dueAt = (row: Sql, at: Date) => sql`
  ((${row}.state = 'waiting' and ${row}.next_at <= ${at.toISOString()}::timestamptz)
    or (${row}.state = 'running' and ${row}.lease_until <= ${at.toISOString()}::timestamptz))`

/** Whether any matching waits to be done: one look into an index that holds only what is not done yet. */
export async function isMatchingDue(db: Db, now: Date): Promise<boolean> {
  const due = await db.query(sql`select 1 from match_requests r where ${dueAt(sql`r`, now)} limit 1`, NO_LIMIT)
  return due.length > 0
}

/**
 * Everything that waits for the organisation that has waited longest, for this worker alone until its lease ends. An organisation whose matching
 * is under way is passed over: its next changes wait until that is done. Undefined when nothing is due.
 */
export async function claimMatching(db: Db, holder: string, now: Date): Promise<ClaimedMatching | undefined> {
  const rows = await db.transaction(
    async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`)
      return await tx.query<{ id: number; organisationId: number; scope: MatchScope; attempts: number }>(sql`
      update match_requests m set state = 'running', attempts = m.attempts + 1, holder = ${holder}, done = 0, total = 0,
        started_at = ${now.toISOString()}::timestamptz, lease_until = ${now.toISOString()}::timestamptz + ${LEASE}::interval
      where ${dueAt(sql`m`, now)} and m.organisation_id = (
        select r.organisation_id from match_requests r
        where ${dueAt(sql`r`, now)} and not exists (
          select from match_requests busy
          where busy.organisation_id = r.organisation_id and busy.state = 'running' and busy.lease_until > ${now.toISOString()}::timestamptz
        )
        order by r.next_at, r.id limit 1
      )
      returning m.id, m.organisation_id as "organisationId", m.scope, m.attempts`)
    },
    { idleTimeoutMs: 0 },
  )
  const [first] = rows
  if (!first) return undefined
  return {
    ids: rows.map(({ id }) => id),
    holder,
    organisationId: first.organisationId,
    scope: mergeScopes(rows.map(({ scope }) => scope)),
    attempts: Math.max(...rows.map(({ attempts }) => attempts)),
  }
}

/** What any of the changes may touch. */
export function mergeScopes(scopes: readonly MatchScope[]): MatchScope {
  if (scopes.some((scope) => 'all' in scope)) return { all: true }
  const parts = scopes as readonly ScopeParts[]
  const merged = (part: keyof ScopeParts) => [...new Set(parts.flatMap((scope) => scope[part] ?? []))]
  return {
    expressions: merged('expressions'),
    terms: merged('terms'),
    units: merged('units'),
    projects: merged('projects'),
  }
}

/** The rows of a claim, as long as they are its own. */
const ownRows = ({ ids, holder }: ClaimedMatching) =>
  sql`id = any (${[...ids]}::bigint[]) and holder = ${holder} and state = 'running'`

/** Keeps the claim for another while, inside a transaction until it ends; false when it went to another worker. */
export async function renewMatching(db: Db, claim: ClaimedMatching, now: Date): Promise<boolean> {
  const renewed = await db.execute(
    sql`update match_requests set lease_until = ${now.toISOString()}::timestamptz + ${LEASE}::interval where ${ownRows(claim)}`,
    NO_LIMIT,
  )
  return renewed === claim.ids.length
}

/** Writes down how far the work has come. */
export async function noteMatching(
  db: Db,
  claim: ClaimedMatching,
  { done, total }: { readonly done: number; readonly total: number },
): Promise<void> {
  await db.execute(sql`update match_requests set done = ${done}::int, total = ${total}::int where ${ownRows(claim)}`)
}

export type MatchingOutcome =
  | { readonly state: 'done'; readonly total: number }
  | { readonly state: 'failed'; readonly failure: string }
  /** `failure` undefined: nothing went wrong, the worker stops. */
  | { readonly state: 'waiting'; readonly nextAt: Date; readonly failure: string | undefined }

/** Writes down what became of a claim. */
export async function settleMatching(
  db: Db,
  claim: ClaimedMatching,
  outcome: MatchingOutcome,
  now: Date,
): Promise<void> {
  const at = now.toISOString()
  const failure = 'failure' in outcome ? (outcome.failure ?? null) : null
  const total = outcome.state === 'done' ? outcome.total : null
  await db.execute(sql`
    update match_requests set state = ${outcome.state}, holder = null, lease_until = null, failure = ${failure},
      done = coalesce(${total}::int, done), total = coalesce(${total}::int, total),
      attempts = attempts - case when ${outcome.state === 'waiting' && failure === null}::boolean then 1 else 0 end,
      next_at = ${('nextAt' in outcome ? outcome.nextAt : now).toISOString()}::timestamptz,
      finished_at = case when ${outcome.state !== 'waiting'}::boolean then ${at}::timestamptz end
    where ${ownRows(claim)}`)
}

/** Forgets what was done more than a week ago, but for each organisation's last; what failed a day ago is tried again. */
export async function pruneMatching(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from match_requests m where m.state = 'done' and m.finished_at < ${at}::timestamptz - interval '7 days'
      and exists (select from match_requests later where later.organisation_id = m.organisation_id and later.id > m.id)`)
  await db.execute(sql`
    update match_requests set state = 'waiting', attempts = 0, next_at = ${at}::timestamptz, finished_at = null
    where state = 'failed' and finished_at < ${at}::timestamptz - interval '1 day'`)
}
