import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod/mini'
import type { Label } from '#contract/account/label.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import {
  BACKGROUND_EXPORT_THRESHOLD_ROWS,
  EXPORT_RETENTION_HOURS,
  type ExportFormat,
  type ExportRequest,
  type ReportExport,
} from '#contract/report/report-export.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { cancelJobs, enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { stageLabelAndMemberNamesSql } from '#server/report/match-sql.ts'

export type RequestedExport = {
  readonly id: string
  readonly organisationId: number
  readonly userId: number
  readonly format: ExportFormat
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly ReportColumnField[]
  readonly requestedAt: string
  readonly userName: string
  readonly organisationName: string
  readonly labels: readonly Label[]
  readonly team: TeamFilterNames
  readonly labelled: ReadonlyMap<string, ProjectLabels>
}

type ProjectLabels = { readonly own: readonly string[]; readonly team: readonly string[] }

export async function findRequestedExport(db: Db, id: string): Promise<RequestedExport | undefined> {
  const [row] = await db.query<Omit<RequestedExport, 'labelled'> & { labelled: Record<string, ProjectLabels> }>(sql`
    select e.id, e.organisation_id as "organisationId", e.user_id as "userId", e.format, e.query, e.columns, e.requested_at as "requestedAt",
      coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as "userName", o.name as "organisationName",
      (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)), '[]') from labels l where l.user_id = u.id) as labels,
      ${stageLabelAndMemberNamesSql(sql`o.id`)} as team, (
        select coalesce(jsonb_object_agg(g.project_id, jsonb_build_object('own', g.own, 'team', g.team)), '{}') from (
          select x.project_id, coalesce(jsonb_agg(x.name order by x.place) filter (where not x.is_team), '[]') as own,
            coalesce(jsonb_agg(x.name order by x.place) filter (where x.is_team), '[]') as team
          from (
            select a.project_id, l.name, a.created_at as place, false as is_team
            from label_assignments a join labels l on l.user_id = a.user_id and l.id = a.label_id where a.user_id = u.id
            union all
            select a.project_id, l.name, a.created_at, true
            from team_label_assignments a join team_labels l on l.organisation_id = a.organisation_id and l.id = a.label_id
            where a.organisation_id = o.id
          ) x group by x.project_id
        ) g
      ) as labelled
    from report_exports e join users u on u.id = e.user_id join organisations o on o.id = e.organisation_id
    where e.id = ${id}`)
  return row && { ...row, labelled: new Map(Object.entries(row.labelled)) }
}

export async function saveExportTotals(
  tx: Db,
  id: string,
  { total, found }: { readonly total: number; readonly found: number },
): Promise<void> {
  await tx.execute(sql`update report_exports set total = ${total}::int, found = ${found}::int where id = ${id}`)
}

export async function appendExportPart(
  tx: Db,
  id: string,
  { place, bytes }: { readonly place: number; readonly bytes: Uint8Array },
): Promise<void> {
  await tx.execute(
    sql`insert into report_export_parts (export_id, place, bytes) values (${id}, ${place}::int, ${bytes}::bytea)`,
  )
}

export async function saveExportBytes(tx: Db, id: string, bytes: number): Promise<void> {
  await tx.execute(sql`update report_exports set bytes = ${bytes}::bigint where id = ${id}`)
}

export async function deleteExportParts(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`delete from report_export_parts where export_id = ${id}`)
}

export async function pruneExports(db: Db, now: Date): Promise<void> {
  const deletedCount = await db.execute(sql`
    delete from report_exports e using jobs j
    where j.kind = ${EXPORT_JOB_TYPE.kind} and j.key = e.id
      and j.finished_at < ${now.toISOString()}::timestamptz - make_interval(hours => ${EXPORT_RETENTION_HOURS}::int)`)
  // PGlite has no autovacuum, so without this vacuum the deleted files would accumulate on disk.
  if (deletedCount > 0 && db.engine === 'pglite') await db.script('vacuum report_export_parts')
}

/** `export` is the id of a row of `report_exports`, and also the job key. */
const payload = z.object({ export: z.string() })
export const EXPORT_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'export', payload }

const MAX_LISTED_EXPORTS = 20

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
const COLUMNS = sql`
  e.id, e.format, case j.state when 'dead' then 'failed' else j.state end as state,
  case when j.state in ('running', 'done') then coalesce((j.progress ->> 'done')::int, 0) else 0 end as done,
  case when j.state = 'waiting' then null else e.total end as total, case when j.state = 'waiting' then null else e.found end as found,
  e.bytes, e.requested_at, j.finished_at`
const EXPORTS = sql`report_exports e join jobs j on j.kind = ${EXPORT_JOB_TYPE.kind} and j.key = e.id`
const timestamp = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`

export function formatExportFileName(format: ExportFormat, requestedAt: Date): string {
  return buildDatedFileName('REPORT_', requestedAt, format)
}

function presentExport(row: StoredExport): ReportExport {
  const expires = row.state === 'done' && row.finished_at !== null ? Date.parse(row.finished_at) : undefined
  return {
    ...row,
    in_background: (row.total ?? 0) > BACKGROUND_EXPORT_THRESHOLD_ROWS,
    file_name: formatExportFileName(row.format, new Date(row.requested_at)),
    expires_at: expires === undefined ? null : new Date(expires + EXPORT_RETENTION_HOURS * HOUR_MS).toISOString(),
  }
}

export async function listExports(db: Db, userId: number): Promise<ReportExport[]> {
  const rows = await db.query<StoredExport>(sql`
    select ${COLUMNS} from ${EXPORTS} where e.user_id = ${userId}::int order by e.requested_at desc, e.id limit ${MAX_LISTED_EXPORTS}::int`)
  return rows.map(presentExport)
}

/** Returns undefined both for a missing export and for another user's export, so that callers cannot distinguish them. */
export async function findExport(db: Db, userId: number, id: string): Promise<ReportExport | undefined> {
  const [row] = await db.query<StoredExport>(sql`
    select ${COLUMNS} from ${EXPORTS} where e.user_id = ${userId}::int and e.id = ${id}`)
  return row && presentExport(row)
}

export async function findExportByKey(
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

export type RecentExportCounts = {
  readonly open: number
  readonly lastHour: readonly string[]
}

/**
 * Counts recent exports of the organisation. Locks the organisation's row until the transaction ends, so the limits are
 * exact.
 */
export async function countRecentExports(tx: Db, organisationId: number, now: Date): Promise<RecentExportCounts> {
  await tx.query(sql`select 1 from organisations where id = ${organisationId}::int for no key update`)
  const [row] = await tx.query<{ open: number; lastHour: string[] }>(sql`
    select count(*) filter (where j.state in ('waiting', 'running')) as open,
      coalesce(json_agg(e.requested_at order by e.requested_at) filter (where e.requested_at > ${timestamp(now)} - interval '1 hour'), '[]') as "lastHour"
    from ${EXPORTS} where e.organisation_id = ${organisationId}::int`)
  return row!
}

export async function insertExport(
  tx: Db,
  { format, query, columns }: ExportRequest,
  details: {
    readonly id: string
    readonly organisationId: number
    readonly userId: number
    readonly key: string | undefined
    readonly at: Date
  },
): Promise<void> {
  await tx.execute(sql`
    insert into report_exports (id, organisation_id, user_id, idempotency_key, format, query, columns, requested_at)
    values (${details.id}, ${details.organisationId}::int, ${details.userId}::int, ${details.key ?? null}, ${format}, ${JSON.stringify(query)}::jsonb,
      ${[...columns]}::text[], ${timestamp(details.at)})`)
  const { id, organisationId, userId, at } = details
  await enqueueSingleJob(tx, EXPORT_JOB_TYPE, { key: id, payload: { export: id }, organisationId, userId, at })
}

/**
 * Cancels a running export and deletes its parts; the worker notices at its next part. The caller must have checked
 * that `id` belongs to the user.
 */
export async function cancelExport(db: Db, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const cancelled = await cancelJobs(tx, EXPORT_JOB_TYPE, id, now)
    if (cancelled > 0) await tx.execute(sql`delete from report_export_parts where export_id = ${id}`)
  })
}

export async function* readExportParts(db: Db, id: string): AsyncGenerator<Uint8Array> {
  for (let index = 0; ; index += 1) {
    const [part] = await db.query<{ bytes: Uint8Array }>(sql`
      select bytes from report_export_parts where export_id = ${id} and place = ${index}::int`)
    if (!part) return
    yield part.bytes
  }
}
