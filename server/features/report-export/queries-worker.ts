import sql from 'sql-template-tag'
import type { ReportColumnField } from '#contract/report/report-columns.ts'
import { EXPORT_KEPT_HOURS, type ExportFormat } from '#contract/report/report-export.ts'
import type { Label } from '#contract/user/label.ts'
import type { Db } from '#server/engine/db.ts'
import { EXPORT_JOB } from './queries.ts'

/** What a file is made of, with what it says of who asked. */
export type AskedExport = {
  readonly id: string
  readonly organisationId: number
  readonly userId: number
  readonly format: ExportFormat
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly ReportColumnField[]
  /** UTC ISO. */
  readonly requestedAt: string
  readonly userName: string
  readonly organisationName: string
  /** Labels of the user, for the filter in words. */
  readonly labels: readonly Label[]
}

/** Undefined when it was forgotten. */
export async function findAskedExport(db: Db, id: string): Promise<AskedExport | undefined> {
  const [row] = await db.query<AskedExport>(sql`
    select e.id, e.organisation_id as "organisationId", e.user_id as "userId", e.format, e.query, e.columns, e.requested_at as "requestedAt",
      coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as "userName", o.name as "organisationName",
      (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)), '[]') from labels l where l.user_id = u.id) as labels
    from report_exports e join users u on u.id = e.user_id join organisations o on o.id = e.organisation_id
    where e.id = ${id}`)
  return row
}

/** How many rows there will be, of how many found. */
export async function saveTotal(
  tx: Db,
  id: string,
  { total, found }: { readonly total: number; readonly found: number },
): Promise<void> {
  await tx.execute(sql`update report_exports set total = ${total}::int, found = ${found}::int where id = ${id}`)
}

/** Stores one piece of the file. */
export async function appendPart(
  tx: Db,
  id: string,
  { place, bytes }: { readonly place: number; readonly bytes: Uint8Array },
): Promise<void> {
  await tx.execute(
    sql`insert into report_export_parts (export_id, place, bytes) values (${id}, ${place}::int, ${bytes}::bytea)`,
  )
}

/** Size of the finished file. */
export async function saveBytes(tx: Db, id: string, bytes: number): Promise<void> {
  await tx.execute(sql`update report_exports set bytes = ${bytes}::bigint where id = ${id}`)
}

/** Takes away what was written of a file. */
export async function clearParts(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`delete from report_export_parts where export_id = ${id}`)
}

/** Forgets what ended a day ago, file and all. */
export async function pruneExports(db: Db, now: Date): Promise<void> {
  const gone = await db.execute(sql`
    delete from report_exports e using jobs j
    where j.kind = ${EXPORT_JOB.kind} and j.key = e.id
      and j.finished_at < ${now.toISOString()}::timestamptz - make_interval(hours => ${EXPORT_KEPT_HOURS}::int)`)
  // PGlite has no autovacuum: without it the files of each day would lie beside those of the day before.
  if (gone > 0 && db.engine === 'pglite') await db.script('vacuum report_export_parts')
}
