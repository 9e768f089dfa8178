import sql, { raw, type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { DEMO_SOURCE } from '#server/catalogue/feed/demo-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createDemoSchema, type DemoTable } from '#server/platform/engine/demo-schema.ts'
import { RETIRE_DEMO_DATA_JOB_NAME } from './is-demo-data-allowed.ts'

const NO_LIMIT = { timeoutMs: 0 }

const PROJECTS = sql`(select s.project_id from projects s where s.source = ${DEMO_SOURCE})`
const DEPARTMENTS = sql`(select s.department_id from projects s where s.source = ${DEMO_SOURCE})`
const COMPANIES = sql`(select f.company_id from company_projects f where f.project_id in ${PROJECTS})`
const LOADS = sql`(select l.id from loads l where l.source = ${DEMO_SOURCE})`
/** Fiscal years with demo budget items. A year replaced by an imported file is real and is not included. */
const YEARS = sql`(select y.fiscal_year from budget_years y join budget_loads l on l.id = y.load_id where l.origin like 'sample %')`
const ITEMS = sql`(select i.id from budget_items i where i.fiscal_year in ${YEARS})`
const DEMO = sql`(select o.id from organisations o where o.code = ${DEMO_ORGANISATION_CODE})`
const USERS = sql`(select u.id from users u where u.organisation_id not in ${DEMO})`
const MARKS = ['bookmarks', 'hidden_projects', 'label_assignments', 'project_feedback', 'queue_decisions'] as const
const ofCustomers: Sql = sql`user_id in ${USERS} and project_id in ${PROJECTS}`

const ofProjects = (table: string): DemoTable => ({ table, rows: sql`project_id in ${PROJECTS}` })
const ofCompanies = (table: string): DemoTable => ({ table, rows: sql`company_id in ${COMPANIES}` })
const ofYears = (table: string): DemoTable => ({ table, rows: sql`fiscal_year in ${YEARS}` })
const empty = (table: string): DemoTable => ({ table, rows: sql`false` })

/**
 * All tables that loads fill and requests read, with a condition for their demo rows. Accounts, lists, marks and
 * matches are not listed, because they are already separated by organisation or user.
 */
const SHARED_TABLES: readonly DemoTable[] = [
  // The condition includes loads that changed demo projects, because changes are shown with their load's day.
  {
    table: 'loads',
    rows: sql`source = ${DEMO_SOURCE} or id in (select c.load_id from project_changes c where c.project_id in ${PROJECTS})`,
  },
  { table: 'departments', rows: sql`id in ${DEPARTMENTS}` },
  { table: 'projects', rows: sql`source = ${DEMO_SOURCE}` },
  ...[
    'contracts',
    'bidders',
    'attachments',
    'announcements',
    'project_changes',
    'project_traits',
    'field_sources',
    'project_doubts',
  ].map(ofProjects),
  ...['company_projects', 'project_spending'].map(ofProjects),
  { table: 'companies', rows: sql`id in ${COMPANIES}` },
  ...['company_names', 'company_figures', 'company_slices'].map(ofCompanies),
  { table: 'department_spending', rows: sql`department_id in ${DEPARTMENTS}` },
  { table: 'budget_loads', rows: sql`origin like 'sample %'` },
  ...['budget_years', 'budget_items', 'budget_totals'].map(ofYears),
  { table: 'budget_names', rows: sql`true` },
  { table: 'budget_item_texts', rows: sql`item_id in ${ITEMS}` },
  { table: 'budget_links', rows: sql`item_id in ${ITEMS} and project_id in ${PROJECTS}` },
  { table: 'budget_matches', rows: sql`organisation_id in ${DEMO} and item_id in ${ITEMS}` },
  { table: 'budget_match_runs', rows: sql`organisation_id in ${DEMO} and fiscal_year in ${YEARS}` },
  { table: 'budget_link_decisions', rows: sql`organisation_id in ${DEMO} and item_id in ${ITEMS}` },
  ...['stale_departments', 'agency_directory', 'agency_codes', 'purchase_plans'].map(empty),
]

export const DEMO_SCHEMA_TABLES: readonly string[] = SHARED_TABLES.map(({ table }) => table)

export async function copyDemoDataToDemoSchema(tx: Db): Promise<void> {
  await createDemoSchema(tx, SHARED_TABLES)
}

export type DemoDataCounts = {
  readonly projects: number
  readonly budgetItems: number
  readonly marks: number
  readonly realProjects: number
}

export async function countDemoData(db: Db): Promise<DemoDataCounts> {
  const marks = MARKS.map((table) => sql`(select count(*) from ${raw(table)} where ${ofCustomers})`)
  const [row] = await db.query<DemoDataCounts>(
    sql`
      select (select count(*) from projects where source = ${DEMO_SOURCE})::int as projects,
        (select count(*) from budget_items where fiscal_year in ${YEARS})::int as "budgetItems",
        (${marks.reduce((sum, count) => sql`${sum} + ${count}`)})::int as marks,
        (select count(*) from projects where source <> ${DEMO_SOURCE})::int as "realProjects"`,
    NO_LIMIT,
  )
  return row!
}

export async function listBudgetItemIdsLinkedToDemoData(tx: Db): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    sql`select distinct item_id as id from budget_links where project_id in ${PROJECTS} and item_id not in ${ITEMS}`,
    NO_LIMIT,
  )
  return rows.map(({ id }) => id)
}

/**
 * Marks all companies and departments for recount and returns the items whose links must be recomputed. Call where the
 * demo tables are visible.
 */
export async function markCompaniesAndDepartmentsStale(tx: Db): Promise<number[]> {
  await tx.execute(sql`update companies set is_stale = true`, NO_LIMIT)
  await tx.execute(sql`insert into stale_departments select distinct department_id from project_spending`, NO_LIMIT)
  const rows = await tx.query<{ id: number }>(sql`select id from budget_items where links > 0 or guesses > 0`, NO_LIMIT)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the demo data outside the demo organisation: its projects with all related rows; customers' matches, marks,
 * notifications, files and pending emails about these projects; departments and companies without real data; and the
 * budget of its years. Watch lists, saved filters and labels stay. Figures of companies and departments that also have
 * real projects are marked for recount.
 */
export async function deleteDemoData(tx: Db): Promise<void> {
  for (const statement of REMOVAL) await tx.execute(statement, NO_LIMIT)
}

const REMOVAL: readonly Sql[] = [
  ...[
    'project_matches',
    'match_exclusions',
    'match_rescues',
    'pursuits',
    'pursuit_notes',
    'lesson_answers',
    'pursuit_events',
    'note_files',
  ].map((table) => sql`delete from ${raw(table)} where organisation_id not in ${DEMO} and project_id in ${PROJECTS}`),
  ...['project_matches', 'match_exclusions'].map(
    (table) => sql`delete from ${raw(table)} where organisation_id in ${DEMO} and project_id not in ${PROJECTS}`,
  ),
  ...[...MARKS, 'project_views', 'notifications', 'follow_news', 'contract_end_news'].map(
    (table) => sql`delete from ${raw(table)} where ${ofCustomers}`,
  ),
  sql`delete from follows where user_id in ${USERS} and kind = 'project' and key in ${PROJECTS}`,
  sql`update saved_questions set looked_on = null, winners = null, leaders = '{}', new_winners = '{}', leaders_before = null`,
  sql`delete from report_exports where organisation_id not in ${DEMO}`,
  sql`delete from notifications where user_id in ${USERS} and (export_id is not null or type = 'Contract_ends')`,
  sql`delete from report_mails where load_id in ${LOADS}`,
  sql`delete from mails where kind = 'report' and state = 'queued'`,
  sql`update organisations set newest_outside_window = null where id not in ${DEMO}`,
  sql`delete from budget_match_runs where fiscal_year in ${YEARS}`,
  sql`delete from budget_totals where fiscal_year in ${YEARS}`,
  sql`delete from budget_items where fiscal_year in ${YEARS}`,
  sql`delete from budget_years where fiscal_year in ${YEARS}`,
  sql`delete from budget_loads l where l.origin like 'sample %' and not exists (select from budget_years y where y.load_id = l.id)`,
  sql`update companies set is_stale = true where id in ${COMPANIES}`,
  sql`delete from company_projects where project_id in ${PROJECTS}`,
  sql`delete from companies c where c.is_stale and not exists (select from company_projects f where f.company_id = c.id)`,
  sql`delete from project_traits where project_id in ${PROJECTS}`,
  sql`insert into stale_departments select distinct department_id from project_spending where project_id in ${PROJECTS} on conflict do nothing`,
  sql`delete from project_spending where project_id in ${PROJECTS}`,
  sql`delete from projects where source = ${DEMO_SOURCE}`,
  sql`delete from department_spending s where not exists (select from projects p where p.department_id = s.department_id)`,
  sql`delete from stale_departments s where not exists (select from projects p where p.department_id = s.department_id)`,
  sql`delete from departments d where not exists (select from projects p where p.department_id = d.id)`,
  // A demo load may have closed bids of real projects, whose history refers to it: keep it as nightly.
  sql`update loads set source = 'nightly', origin = 'nightly', fingerprint = null where source = ${DEMO_SOURCE} and id in (
    select load_id from project_changes union select first_load from projects union select load_id from announcements
    union select first_load from attachments
  )`,
  sql`delete from loads where source = ${DEMO_SOURCE}`,
  sql`insert into job_runs (job, day) values (${RETIRE_DEMO_DATA_JOB_NAME}, (now() at time zone 'Asia/Bangkok')::date) on conflict do nothing`,
]
