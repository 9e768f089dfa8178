import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type {
  AnnouncementRow,
  AttachmentRow,
  BidderRow,
  ContractRow,
  ExistingProject,
  FieldChangeRow,
  FieldSources,
  ProjectRow,
  StoredDataIssue,
} from './project-row.ts'
import {
  CONTRACT_COLUMNS,
  columnAssignmentsSql,
  columnNamesSql,
  PROJECT_COLUMNS,
  PROJECT_ROW_COLUMNS_SQL,
  rowsToTableSql,
  type StoredProjectRow,
} from './stored-project-columns.ts'

/** Bulk statements on `projects` and related tables. They run inside a load, so they have no timeout. */
export const NO_QUERY_TIMEOUT = { timeoutMs: 0 }

type ProjectQueryRow = ProjectRow & {
  readonly first_load: number
  readonly source: string
  readonly fields: FieldSources | null
  readonly doubts: readonly StoredDataIssue[] | null
  readonly stated_at: string | null
}

export async function readExistingProjects(tx: Db, ids: readonly string[]): Promise<Map<string, ExistingProject>> {
  const rows = await tx.query<ProjectQueryRow>(
    sql`select ${PROJECT_ROW_COLUMNS_SQL}, p.first_load, p.source, f.fields, u.doubts,
      to_char(u.stated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as stated_at
    from projects p join departments d on d.id = p.department_id left join field_sources f on f.project_id = p.project_id
      left join project_doubts u on u.project_id = p.project_id
    where p.project_id = any(${ids}::text[])`,
    NO_QUERY_TIMEOUT,
  )
  const existing = new Map<string, ExistingProject>()
  if (rows.length === 0) return existing
  const foundIds = rows.map((row) => row.project_id)
  const ofFoundProjects = (table: Sql) => sql`${table} where project_id = any(${foundIds}::text[])`
  const contracts = await tx.query<ContractRow>(
    ofFoundProjects(
      sql`select project_id, contract_no, winner_tin, winner_name, amount_satang, signed_on, ends_on, status from contracts`,
    ),
    NO_QUERY_TIMEOUT,
  )
  const bidders = await tx.query<BidderRow>(
    sql`${ofFoundProjects(sql`select project_id, position, tin, name, price_satang, is_winner, is_sme from bidders`)} order by position`,
    NO_QUERY_TIMEOUT,
  )
  const attachments = await tx.query<AttachmentRow>(
    ofFoundProjects(sql`select project_id, url, name, step, published_on from attachments`),
    NO_QUERY_TIMEOUT,
  )
  const announcements = await tx.query<AnnouncementRow>(
    ofFoundProjects(sql`select project_id, movement, announced_on from announcements`),
    NO_QUERY_TIMEOUT,
  )
  const contractsOf = Map.groupBy(contracts, (row) => row.project_id)
  const biddersOf = Map.groupBy(bidders, (row) => row.project_id)
  const attachmentsOf = Map.groupBy(attachments, (row) => row.project_id)
  const announcementsOf = Map.groupBy(announcements, (row) => row.project_id)
  for (const { first_load, source, fields, doubts, stated_at, ...row } of rows)
    existing.set(row.project_id, {
      row,
      firstLoad: first_load,
      source,
      fieldSources: fields ?? {},
      doubts: doubts ?? [],
      statedAt: stated_at ?? undefined,
      contracts: contractsOf.get(row.project_id) ?? [],
      bidders: biddersOf.get(row.project_id) ?? [],
      attachments: attachmentsOf.get(row.project_id) ?? [],
      announcements: announcementsOf.get(row.project_id) ?? [],
    })
  return existing
}

export async function hasProjects(tx: Db): Promise<boolean> {
  return (await tx.query(sql`select from projects limit 1`)).length > 0
}

export type DepartmentRow = { readonly name: string; readonly sub_name: string; readonly province: number | null }

/** Returns department ids in the order of `rows`; inserts missing departments. */
export async function resolveDepartmentIds(tx: Db, rows: readonly DepartmentRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const incoming = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as t (name text, sub_name text, province smallint)`
  const sameDepartment = sql`d.name = t.name and d.sub_name = t.sub_name and d.province is not distinct from t.province`
  // Insert only missing rows, because a conflicting insert would also consume an identity value.
  await tx.execute(
    sql`insert into departments (name, sub_name, province)
      select t.name, t.sub_name, t.province from ${incoming} where not exists (select from departments d where ${sameDepartment})
      on conflict (name, sub_name, province) do nothing`,
    NO_QUERY_TIMEOUT,
  )
  const departments = await tx.query<DepartmentRow & { readonly id: number }>(
    sql`select d.id, d.name, d.sub_name, d.province from ${incoming} join departments d on ${sameDepartment}`,
    NO_QUERY_TIMEOUT,
  )
  const ids = new Map(departments.map((row) => [toDepartmentKey(row), row.id]))
  return rows.map((row) => ids.get(toDepartmentKey(row))!)
}

export const toDepartmentKey = ({ name, sub_name, province }: DepartmentRow): string =>
  `${name}\n${sub_name}\n${province ?? ''}`

/**
 * This function and the writers below return statements (none for no rows) with serialised values, so that the next
 * batch is built while the database writes the previous one.
 */
export function insertProjectsSql(
  load: { readonly id: number; readonly source: string },
  rows: readonly StoredProjectRow[],
): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into projects (${columnNamesSql(PROJECT_COLUMNS)}, source, first_load, changed_load, written_load)
      select t.*, ${load.source}::text, ${load.id}::bigint, ${load.id}::bigint, ${load.id}::bigint
      from ${rowsToTableSql(PROJECT_COLUMNS, rows)}`,
  ]
}

/**
 * `changed_load` is set at the end of the load, once changes that were reverted within it are excluded (`markChangedProjects`).
 */
export function updateProjectsSql(loadId: number, rows: readonly StoredProjectRow[]): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`update projects p set ${columnAssignmentsSql(PROJECT_COLUMNS, 't')}, written_load = ${loadId}::bigint
      from ${rowsToTableSql(PROJECT_COLUMNS, rows)} where p.project_id = t.project_id`,
  ]
}

/** 'new' rows belong to projects without stored rows; skipping the conflict lookup saves a third of the insert. */
export type ProjectExistence = 'new' | 'known'

export function upsertContractsSql(existence: ProjectExistence, rows: readonly ContractRow[]): readonly Sql[] {
  if (rows.length === 0) return []
  const stored = sql`on conflict (project_id, contract_no) do update set ${columnAssignmentsSql(CONTRACT_COLUMNS, 'excluded')}`
  return [
    sql`insert into contracts (${columnNamesSql(CONTRACT_COLUMNS)})
      select t.* from ${rowsToTableSql(CONTRACT_COLUMNS, rows)} ${existence === 'new' ? empty : stored}`,
  ]
}

export function deleteBiddersSql(projectIds: readonly string[]): readonly Sql[] {
  if (projectIds.length === 0) return []
  return [sql`delete from bidders where project_id = any(${projectIds}::text[])`]
}

export function insertBiddersSql(rows: readonly BidderRow[]): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into bidders (project_id, position, tin, name, price_satang, is_winner, is_sme)
      select t.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, position smallint,
        tin text, name text, price_satang bigint, is_winner boolean, is_sme boolean)`,
  ]
}

export function upsertAttachmentsSql(
  existence: ProjectExistence,
  loadId: number,
  rows: readonly AttachmentRow[],
): readonly Sql[] {
  if (rows.length === 0) return []
  const stored = sql`on conflict (project_id, url) do update set name = excluded.name, step = excluded.step, published_on = excluded.published_on`
  return [
    sql`insert into attachments (project_id, url, name, step, published_on, first_load)
      select t.*, ${loadId}::bigint from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text,
        url text, name text, step text, published_on date) ${existence === 'new' ? empty : stored}`,
  ]
}

export function insertAnnouncementsSql(
  existence: ProjectExistence,
  loadId: number,
  rows: readonly AnnouncementRow[],
): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into announcements (project_id, movement, announced_on, load_id)
      select t.*, ${loadId}::bigint from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text,
        movement text, announced_on date) ${existence === 'new' ? empty : sql`on conflict (project_id, movement, announced_on) do nothing`}`,
  ]
}

export function upsertFieldSourcesSql(
  rows: readonly { readonly project_id: string; readonly fields: FieldSources }[],
): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into field_sources (project_id, fields)
      select t.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, fields jsonb)
      on conflict (project_id) do update set fields = excluded.fields`,
  ]
}

export function upsertDataIssuesSql(
  rows: readonly {
    readonly project_id: string
    readonly doubts: readonly StoredDataIssue[]
    readonly stated_at: string | null
  }[],
): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into project_doubts (project_id, doubts, stated_at)
      select t.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, doubts jsonb, stated_at timestamptz)
      on conflict (project_id) do update set doubts = excluded.doubts, stated_at = excluded.stated_at`,
  ]
}

/** A project may occur several times in one load: keeps the first old value and the last new value. */
export function upsertFieldChangesSql(loadId: number, rows: readonly FieldChangeRow[]): readonly Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into project_changes (project_id, load_id, field, old_value, new_value)
      select t.project_id, ${loadId}::bigint, t.field, t.old_value, t.new_value
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, field text, old_value text, new_value text)
      on conflict (project_id, load_id, field) do update set new_value = excluded.new_value`,
  ]
}

/** Deletes changes that the same load reverted, marks the remaining projects as changed and returns their number. */
export async function markChangedProjects(tx: Db, loadId: number): Promise<number> {
  await tx.execute(
    sql`delete from project_changes where load_id = ${loadId} and old_value is not distinct from new_value`,
    NO_QUERY_TIMEOUT,
  )
  return tx.execute(
    sql`update projects set changed_load = ${loadId}
      where project_id in (select project_id from project_changes where load_id = ${loadId})`,
    NO_QUERY_TIMEOUT,
  )
}

/**
 * Returns projects whose derived state may be outdated only because time passed: the submission end passed, or the
 * contract has been quiet since `quietBefore`. False positives are harmless; `computeNextProjectState` decides.
 */
export async function findProjectsWithExpiredState(
  tx: Db,
  loadId: number,
  days: { readonly today: string; readonly quietBefore: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(
    sql`select project_id from projects
      where project_id > ${after} and written_load <> ${loadId} and (
        (movement in ('invited', 'invitation_amended') and winner_name is null and submission_ends_on < ${days.today}::date)
        or (not is_archived and (status in ('invitation_cancelled', 'project_cancelled')
          or (status = 'contract_created' and (is_movement_undated or movement_on is null or movement_on < ${days.quietBefore}::date))))
        -- written by a version that left undated steps without a day
        or (movement_on is null and movement in ('invitation_cancelled', 'project_cancelled', 'contract_created')))
      order by project_id limit ${limit}::int`,
    NO_QUERY_TIMEOUT,
  )
  return rows.map((row) => row.project_id)
}

export async function findChangedProjects(tx: Db, loadId: number): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(
    sql`select distinct project_id from project_changes where load_id = ${loadId}`,
    NO_QUERY_TIMEOUT,
  )
  return rows.map((row) => row.project_id)
}
