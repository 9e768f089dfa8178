import sql, { type Sql } from 'sql-template-tag'
import {
  BACKGROUND_ROWS,
  EXPORT_KEPT_HOURS,
  type ExportFormat,
  type ExportRequest,
  type ReportExport,
} from '#contract/report/report-export.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'

/** Most exports that the list names. */
const LISTED = 20

type StoredExport = {
  readonly id: string
  readonly format: ExportFormat
  readonly state: ReportExport['state']
  readonly done: number
  readonly total: number | null
  readonly found: number | null
  readonly bytes: number | null
  readonly requested_at: string
  readonly finished_at: string | null
}

const HOUR_MS = 3_600_000
const COLUMNS = sql`e.id, e.format, e.state, e.done, e.total, e.found, e.bytes, e.requested_at, e.finished_at`
const moment = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`

/** `REPORT_20261121.xlsx`: the Gregorian day in Bangkok (C19). */
export function exportFileName(format: ExportFormat, requestedAt: Date): string {
  return `REPORT_${bangkokToday(requestedAt).replaceAll('-', '')}.${format}`
}

function presentExport(row: StoredExport): ReportExport {
  const expires = row.state === 'done' && row.finished_at !== null ? Date.parse(row.finished_at) : undefined
  return {
    ...row,
    in_background: (row.total ?? 0) > BACKGROUND_ROWS,
    file_name: exportFileName(row.format, new Date(row.requested_at)),
    expires_at: expires === undefined ? null : new Date(expires + EXPORT_KEPT_HOURS * HOUR_MS).toISOString(),
  }
}

/** The user's own exports of the last day, the newest first. */
export async function listExports(db: Db, userId: number): Promise<ReportExport[]> {
  const rows = await db.query<StoredExport>(sql`
    select ${COLUMNS} from report_exports e where e.user_id = ${userId}::int order by e.requested_at desc, e.id limit ${LISTED}::int`)
  return rows.map(presentExport)
}

/** One of the user's own; undefined for everybody else's, as for one that does not exist. */
export async function findExport(db: Db, userId: number, id: string): Promise<ReportExport | undefined> {
  const [row] = await db.query<StoredExport>(sql`
    select ${COLUMNS} from report_exports e where e.user_id = ${userId}::int and e.id = ${id}`)
  return row && presentExport(row)
}

/** The export that the same request asked for before, and whether it asked for the same thing. */
export async function findRepeated(
  db: Db,
  userId: number,
  key: string,
  { format, query, columns }: ExportRequest,
): Promise<{ readonly id: string; readonly isSame: boolean } | undefined> {
  const [row] = await db.query<{ id: string; isSame: boolean }>(sql`
    select e.id, (e.format = ${format} and e.query = ${JSON.stringify(query)}::jsonb and e.columns = ${[...columns]}::text[]) as "isSame"
    from report_exports e where e.user_id = ${userId}::int and e.idempotency_key = ${key}`)
  return row
}

export type RunningExports = {
  /** Under way. */
  readonly open: number
  /** When those asked for in the last hour were, the oldest first. */
  readonly lastHour: readonly string[]
}

/** What the organisation asked for lately; who asks next waits until this transaction ends, so that the limits hold. */
export async function countExports(tx: Db, organisationId: number, now: Date): Promise<RunningExports> {
  await tx.query(sql`select 1 from organisations where id = ${organisationId}::int for no key update`)
  const [row] = await tx.query<{ open: number; lastHour: string[] }>(sql`
    select count(*) filter (where e.state in ('waiting', 'running')) as open,
      coalesce(json_agg(e.requested_at order by e.requested_at) filter (where e.requested_at > ${moment(now)} - interval '1 hour'), '[]') as "lastHour"
    from report_exports e where e.organisation_id = ${organisationId}::int`)
  return row!
}

export async function insertExport(
  tx: Db,
  { format, query, columns }: ExportRequest,
  who: {
    readonly id: string
    readonly organisationId: number
    readonly userId: number
    readonly key: string | undefined
    readonly at: Date
  },
): Promise<void> {
  await tx.execute(sql`
    insert into report_exports (id, organisation_id, user_id, idempotency_key, format, query, columns, requested_at, next_at)
    values (${who.id}, ${who.organisationId}::int, ${who.userId}::int, ${who.key ?? null}, ${format}, ${JSON.stringify(query)}::jsonb,
      ${[...columns]}::text[], ${moment(who.at)}, ${moment(who.at)})`)
}

/** Ends what is under way and throws away what was written of it; the worker notices with its next part. */
export async function cancelExport(db: Db, userId: number, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const cancelled = await tx.execute(sql`
      update report_exports set state = 'cancelled', holder = null, lease_until = null, finished_at = ${moment(now)}
      where user_id = ${userId}::int and id = ${id} and state in ('waiting', 'running')`)
    if (cancelled > 0) await tx.execute(sql`delete from report_export_parts where export_id = ${id}`)
  })
}

/** The pieces of a file, one at a time. */
export async function* exportParts(db: Db, id: string): AsyncGenerator<Uint8Array> {
  for (let place = 0; ; place += 1) {
    const [part] = await db.query<{ bytes: Uint8Array }>(sql`
      select bytes from report_export_parts where export_id = ${id} and place = ${place}::int`)
    if (!part) return
    yield part.bytes
  }
}
