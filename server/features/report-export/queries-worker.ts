import sql, { type Sql } from 'sql-template-tag'
import type { ReportColumnField } from '#contract/report/report-columns.ts'
import { EXPORT_KEPT_HOURS, type ExportFormat } from '#contract/report/report-export.ts'
import type { Label } from '#contract/user/label.ts'
import type { Db } from '#server/engine/db.ts'

/** A worker that dies leaves its file to the others after this long (R52). */
const LEASE = '60 seconds'
/** A worker waits for its turn behind a load, however long that takes. */
const NO_LIMIT = { timeoutMs: 0 }

/** One export that one worker makes, with what the file says of who asked. */
export type ClaimedExport = {
  readonly id: string
  readonly holder: string
  readonly organisationId: number
  readonly userId: number
  readonly format: ExportFormat
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly ReportColumnField[]
  /** UTC ISO. */
  readonly requestedAt: string
  /** How often it was begun, this time included. */
  readonly attempts: number
  readonly userName: string
  readonly organisationName: string
  /** Labels of the user, for the filter in words. */
  readonly labels: readonly Label[]
}

const moment = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`
const dueAt = (at: Date) => sql`
  ((e.state = 'waiting' and e.next_at <= ${moment(at)}) or (e.state = 'running' and e.lease_until <= ${moment(at)}))`

/** Whether any export waits to be made: one look into an index that holds only what is not done yet. */
export async function isExportDue(db: Db, now: Date): Promise<boolean> {
  const due = await db.query(sql`select 1 from report_exports e where ${dueAt(now)} limit 1`, NO_LIMIT)
  return due.length > 0
}

/** The export that has waited longest, for this worker alone until its lease ends, and to be begun anew. Undefined when nothing is due. */
export async function claimExport(db: Db, holder: string, now: Date): Promise<ClaimedExport | undefined> {
  return await db.transaction(
    async (tx) => {
      const [claimed] = await tx.query<{ id: string }>(sql`
        update report_exports r set state = 'running', attempts = r.attempts + 1, holder = ${holder}, done = 0, total = null, found = null,
          started_at = ${moment(now)}, lease_until = ${moment(now)} + ${LEASE}::interval
        where r.id = (
          select e.id from report_exports e where ${dueAt(now)} order by e.next_at, e.id limit 1 for update skip locked
        )
        returning r.id`)
      if (!claimed) return undefined
      // What a worker that died had written.
      await tx.execute(sql`delete from report_export_parts where export_id = ${claimed.id}`)
      const [row] = await tx.query<Omit<ClaimedExport, 'holder'>>(sql`
        select e.id, e.organisation_id as "organisationId", e.user_id as "userId", e.format, e.query, e.columns, e.requested_at as "requestedAt",
          e.attempts, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as "userName", o.name as "organisationName",
          (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)), '[]') from labels l where l.user_id = u.id) as labels
        from report_exports e join users u on u.id = e.user_id join organisations o on o.id = e.organisation_id
        where e.id = ${claimed.id}`)
      return { ...row!, holder }
    },
    { idleTimeoutMs: 0 },
  )
}

/** The row of a claim, as long as it is its own: neither cancelled nor gone to another worker. */
const ownRow = ({ id, holder }: ClaimedExport) => sql`id = ${id} and holder = ${holder} and state = 'running'`

/** Keeps the claim for another while. */
export async function renewExport(db: Db, claim: ClaimedExport, now: Date): Promise<void> {
  await db.execute(
    sql`update report_exports set lease_until = ${moment(now)} + ${LEASE}::interval where ${ownRow(claim)}`,
    NO_LIMIT,
  )
}

/** Writes down how many rows there will be; false when the claim is lost. */
export async function noteExportTotal(
  db: Db,
  claim: ClaimedExport,
  { total, found }: { readonly total: number; readonly found: number },
): Promise<boolean> {
  const noted = await db.execute(
    sql`update report_exports set total = ${total}::int, found = ${found}::int where ${ownRow(claim)}`,
    NO_LIMIT,
  )
  return noted === 1
}

/** Stores one piece of the file with how far that is, in one statement, only while the claim is the worker's own; false when it is lost. */
export async function appendPart(
  db: Db,
  claim: ClaimedExport,
  part: { readonly place: number; readonly bytes: Uint8Array; readonly done: number },
): Promise<boolean> {
  const stored = await db.execute(
    sql`
    with own as (update report_exports set done = ${part.done}::int where ${ownRow(claim)} returning id)
    insert into report_export_parts (export_id, place, bytes) select own.id, ${part.place}::int, ${part.bytes}::bytea from own`,
    NO_LIMIT,
  )
  return stored === 1
}

export type ExportOutcome =
  | { readonly state: 'done'; readonly done: number; readonly bytes: number }
  | { readonly state: 'failed'; readonly failure: string }
  /** `failure` undefined: nothing went wrong, the worker stops. */
  | { readonly state: 'waiting'; readonly nextAt: Date; readonly failure: string | undefined }

/** Writes down what became of a claim; false when it is lost. */
export async function settleExport(tx: Db, claim: ClaimedExport, outcome: ExportOutcome, now: Date): Promise<boolean> {
  const failure = 'failure' in outcome ? (outcome.failure ?? null) : null
  const isDone = outcome.state === 'done'
  const settled = await tx.execute(sql`
    update report_exports set state = ${outcome.state}, holder = null, lease_until = null, failure = ${failure},
      done = ${isDone ? outcome.done : 0}::int, bytes = ${isDone ? outcome.bytes : null}::bigint,
      attempts = attempts - case when ${outcome.state === 'waiting' && failure === null}::boolean then 1 else 0 end,
      next_at = ${moment('nextAt' in outcome ? outcome.nextAt : now)},
      finished_at = case when ${outcome.state !== 'waiting'}::boolean then ${moment(now)} end
    where ${ownRow(claim)}`)
  if (settled === 1 && !isDone) await tx.execute(sql`delete from report_export_parts where export_id = ${claim.id}`)
  return settled === 1
}

/** Forgets what ended a day ago, file and all. */
export async function pruneExports(db: Db, now: Date): Promise<void> {
  const gone = await db.execute(sql`
    delete from report_exports where finished_at < ${moment(now)} - make_interval(hours => ${EXPORT_KEPT_HOURS}::int)`)
  // PGlite has no autovacuum: without it the files of each day would lie beside those of the day before.
  if (gone > 0 && db.engine === 'pglite') await db.script('vacuum report_export_parts')
}
