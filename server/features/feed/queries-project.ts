import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/db/db.ts'
import type {
  AnnouncementRow,
  AttachmentRow,
  BidderRow,
  ChangeRow,
  ContractRow,
  KnownProject,
  ProjectRow,
} from './project-row.ts'

/** Statements on `projects` and the tables around it; each moves many rows at once. No time limit: they run inside a load. */
const UNLIMITED = { timeoutMs: 0 }

type StoredProject = ProjectRow & { readonly first_load: number }

/** All that is stored of these projects, by project id. */
export async function readProjects(tx: Db, ids: readonly string[]): Promise<Map<string, KnownProject>> {
  const rows = await tx.query<StoredProject>(
    sql`select p.project_id, p.name, p.name_search, p.name_spaced, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province,
      p.project_province, p.district, p.subdistrict, p.latitude, p.longitude, p.fiscal_year, p.status, p.movement, p.movement_on,
      p.criteria, p.method, p.method_type, p.budget_satang, p.estimate_satang, p.winner_satang, p.winner_name, p.winner_count,
      p.draft_published_on, p.draft_discussion_ends_on, p.bidding_invited_on, p.submission_ends_on, p.submission_time,
      p.winner_announced_on, p.contract_signed_on, p.remark, p.is_sme, p.is_archived, p.first_load
    from projects p join departments d on d.id = p.department_id
    where p.project_id = any(${ids}::text[])`,
    UNLIMITED,
  )
  const known = new Map<string, KnownProject>()
  if (rows.length === 0) return known
  const found = rows.map((row) => row.project_id)
  const of = (table: Sql) => sql`${table} where project_id = any(${found}::text[])`
  const contracts = await tx.query<ContractRow>(
    of(
      sql`select project_id, contract_no, winner_tin, winner_name, amount_satang, signed_on, ends_on, status from contracts`,
    ),
    UNLIMITED,
  )
  const bidders = await tx.query<BidderRow>(
    sql`${of(sql`select project_id, position, tin, name, price_satang, is_winner, is_sme from bidders`)} order by position`,
    UNLIMITED,
  )
  const attachments = await tx.query<AttachmentRow>(
    of(sql`select project_id, url, name, step, published_on from attachments`),
    UNLIMITED,
  )
  const announcements = await tx.query<AnnouncementRow>(
    of(sql`select project_id, movement, announced_on from announcements`),
    UNLIMITED,
  )
  const contractsOf = Map.groupBy(contracts, (row) => row.project_id)
  const biddersOf = Map.groupBy(bidders, (row) => row.project_id)
  const attachmentsOf = Map.groupBy(attachments, (row) => row.project_id)
  const announcementsOf = Map.groupBy(announcements, (row) => row.project_id)
  for (const { first_load, ...row } of rows)
    known.set(row.project_id, {
      row,
      firstLoad: first_load,
      contracts: contractsOf.get(row.project_id) ?? [],
      bidders: biddersOf.get(row.project_id) ?? [],
      attachments: attachmentsOf.get(row.project_id) ?? [],
      announcements: announcementsOf.get(row.project_id) ?? [],
    })
  return known
}

export type DepartmentRow = { readonly name: string; readonly sub_name: string; readonly province: number | null }

/** Departments, units and provinces not seen before. */
export async function insertDepartments(tx: Db, rows: readonly DepartmentRow[]): Promise<void> {
  if (rows.length === 0) return
  // The condition spares the identity column: a conflicting insert would use a number up as well.
  await tx.execute(
    sql`insert into departments (name, sub_name, province)
      select t.name, t.sub_name, t.province
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (name text, sub_name text, province smallint)
      where not exists (select from departments d
        where d.name = t.name and d.sub_name = t.sub_name and d.province is not distinct from t.province)
      on conflict (name, sub_name, province) do nothing`,
    UNLIMITED,
  )
}

const PROJECT_RECORD = sql`as t (project_id text, name text, name_search text, name_spaced text, dept_name text,
  dept_sub_name text, dept_province smallint, project_province smallint, district text, subdistrict text, latitude double precision,
  longitude double precision, fiscal_year smallint, status text, movement text, movement_on date, criteria text, method text,
  method_type text, budget_satang bigint, estimate_satang bigint, winner_satang bigint, winner_name text, winner_count smallint,
  draft_published_on date, draft_discussion_ends_on date, bidding_invited_on date, submission_ends_on date,
  submission_time text, winner_announced_on date, contract_signed_on date, remark text, is_sme boolean, is_archived boolean)
  join departments d on d.name = t.dept_name and d.sub_name = t.dept_sub_name and d.province is not distinct from t.dept_province`

/** The department of each row must be there: `insertDepartments` comes first. */
export async function insertProjects(
  tx: Db,
  load: { readonly id: number; readonly source: string },
  rows: readonly ProjectRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, district, subdistrict,
        latitude, longitude, fiscal_year, status, movement, movement_on, criteria, method, method_type, budget_satang,
        estimate_satang, winner_satang, winner_name, winner_count, draft_published_on, draft_discussion_ends_on,
        bidding_invited_on, submission_ends_on, submission_time, winner_announced_on, contract_signed_on, remark, is_sme,
        is_archived, source, first_load, changed_load, written_load)
      select t.project_id, t.name, t.name_search, t.name_spaced, d.id, t.project_province, t.district, t.subdistrict,
        t.latitude, t.longitude, t.fiscal_year, t.status, t.movement, t.movement_on, t.criteria, t.method, t.method_type,
        t.budget_satang, t.estimate_satang, t.winner_satang, t.winner_name, t.winner_count, t.draft_published_on,
        t.draft_discussion_ends_on, t.bidding_invited_on, t.submission_ends_on, t.submission_time, t.winner_announced_on,
        t.contract_signed_on, t.remark, t.is_sme, t.is_archived, ${load.source}::text, ${load.id}::bigint, ${load.id}::bigint, ${load.id}::bigint
      from json_to_recordset(${JSON.stringify(rows)}::text::json) ${PROJECT_RECORD}`,
    UNLIMITED,
  )
}

/** `changed_load` is set at the end of the load, when it is known that a change was not taken back (`markChanged`). */
export async function updateProjects(tx: Db, loadId: number, rows: readonly ProjectRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`update projects p set name = t.name, name_search = t.name_search, name_spaced = t.name_spaced, department_id = d.id,
        project_province = t.project_province, district = t.district, subdistrict = t.subdistrict, latitude = t.latitude,
        longitude = t.longitude, fiscal_year = t.fiscal_year, status = t.status, movement = t.movement,
        movement_on = t.movement_on, criteria = t.criteria, method = t.method, method_type = t.method_type,
        budget_satang = t.budget_satang, estimate_satang = t.estimate_satang, winner_satang = t.winner_satang,
        winner_name = t.winner_name, winner_count = t.winner_count, draft_published_on = t.draft_published_on,
        draft_discussion_ends_on = t.draft_discussion_ends_on, bidding_invited_on = t.bidding_invited_on,
        submission_ends_on = t.submission_ends_on, submission_time = t.submission_time,
        winner_announced_on = t.winner_announced_on, contract_signed_on = t.contract_signed_on, remark = t.remark,
        is_sme = t.is_sme, is_archived = t.is_archived, written_load = ${loadId}::bigint
      from json_to_recordset(${JSON.stringify(rows)}::text::json) ${PROJECT_RECORD}
      where p.project_id = t.project_id`,
    UNLIMITED,
  )
}

export async function writeContracts(tx: Db, rows: readonly ContractRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`insert into contracts (project_id, contract_no, winner_tin, winner_name, amount_satang, signed_on, ends_on, status)
      select t.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, contract_no text,
        winner_tin text, winner_name text, amount_satang bigint, signed_on date, ends_on date, status text)
      on conflict (project_id, contract_no) do update set winner_tin = excluded.winner_tin, winner_name = excluded.winner_name,
        amount_satang = excluded.amount_satang, signed_on = excluded.signed_on, ends_on = excluded.ends_on, status = excluded.status`,
    UNLIMITED,
  )
}

/** Replaces the whole list of each project in `projectIds`. */
export async function replaceBidders(tx: Db, projectIds: readonly string[], rows: readonly BidderRow[]): Promise<void> {
  if (projectIds.length === 0) return
  await tx.execute(sql`delete from bidders where project_id = any(${projectIds}::text[])`, UNLIMITED)
  await tx.execute(
    sql`insert into bidders (project_id, position, tin, name, price_satang, is_winner, is_sme)
      select t.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, position smallint,
        tin text, name text, price_satang bigint, is_winner boolean, is_sme boolean)`,
    UNLIMITED,
  )
}

export async function writeAttachments(tx: Db, loadId: number, rows: readonly AttachmentRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`insert into attachments (project_id, url, name, step, published_on, first_load)
      select t.*, ${loadId}::bigint from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text,
        url text, name text, step text, published_on date)
      on conflict (project_id, url) do update set name = excluded.name, step = excluded.step, published_on = excluded.published_on`,
    UNLIMITED,
  )
}

export async function insertAnnouncements(tx: Db, loadId: number, rows: readonly AnnouncementRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`insert into announcements (project_id, movement, announced_on, load_id)
      select t.*, ${loadId}::bigint from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text,
        movement text, announced_on date)
      on conflict (project_id, movement, announced_on) do nothing`,
    UNLIMITED,
  )
}

/** A project may come several times in one load: the first old value and the last new value stay. */
export async function writeChanges(tx: Db, loadId: number, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(
    sql`insert into project_changes (project_id, load_id, field, old_value, new_value)
      select t.project_id, ${loadId}::bigint, t.field, t.old_value, t.new_value
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (project_id text, field text, old_value text, new_value text)
      on conflict (project_id, load_id, field) do update set new_value = excluded.new_value`,
    UNLIMITED,
  )
}

/** Drops changes that the same load took back, marks the projects that are left as changed, and answers their number. */
export async function markChanged(tx: Db, loadId: number): Promise<number> {
  await tx.execute(
    sql`delete from project_changes where load_id = ${loadId} and old_value is not distinct from new_value`,
    UNLIMITED,
  )
  return tx.execute(
    sql`update projects set changed_load = ${loadId}
      where project_id in (select project_id from project_changes where load_id = ${loadId})`,
    UNLIMITED,
  )
}

/**
 * Projects whose derived state may have moved since they were last written, only because time went by: the submission end
 * passed, or the contract has been quiet since `quietBefore`. More than needed is harmless; `nextProject` decides.
 */
export async function findDue(
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
          or (status = 'contract_created' and coalesce(movement_on, '-infinity') < ${days.quietBefore}::date))))
      order by project_id limit ${limit}::int`,
    UNLIMITED,
  )
  return rows.map((row) => row.project_id)
}

/** Ids of the projects that this load changed. */
export async function findChanged(tx: Db, loadId: number): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(
    sql`select distinct project_id from project_changes where load_id = ${loadId}`,
    UNLIMITED,
  )
  return rows.map((row) => row.project_id)
}
