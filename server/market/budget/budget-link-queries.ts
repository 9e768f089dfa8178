import sql, { empty } from 'sql-template-tag'
import type { BudgetLinkDecision } from '#contract/market/budget.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import {
  BUDGET_PROJECT_STATE_SQL,
  IS_CERTAIN_BUDGET_LINK_SQL,
  IS_GUESSED_BUDGET_LINK_SQL,
} from './budget-filter-sql.ts'
import { MOVE_BUDGET_STATE_TOTALS_SQL } from './budget-summary-queries.ts'

type DecidedLink = {
  readonly organisationId: number
  readonly userId: number
  readonly itemId: number
  readonly projectId: string
  readonly at: Date
}

/** Returns whether the organisation may see this link: the link is suggested, or the organisation decided about it. */
export async function isBudgetLinkVisible(
  db: Db,
  { organisationId, itemId, projectId }: Pick<DecidedLink, 'organisationId' | 'itemId' | 'projectId'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from budget_links l where l.item_id = ${itemId}::int and l.project_id = ${projectId}::text and (l.confidence > 0 or exists (
      select from budget_link_decisions d
      where d.organisation_id = ${organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    ))`)
  return rows.length > 0
}

export async function storeBudgetLinkDecision(
  tx: Db,
  link: DecidedLink,
  decision: BudgetLinkDecision,
): Promise<boolean> {
  const { organisationId, userId, itemId, projectId, at } = link
  const changedRows =
    decision === null
      ? await tx.execute(sql`
          delete from budget_link_decisions
          where organisation_id = ${organisationId}::int and item_id = ${itemId}::int and project_id = ${projectId}::text`)
      : await tx.execute(sql`
          insert into budget_link_decisions as d (organisation_id, item_id, project_id, decision, decided_by, decided_at)
          values (${organisationId}::int, ${itemId}::int, ${projectId}::text, ${decision}, ${userId}::int, ${at.toISOString()}::timestamptz)
          on conflict (organisation_id, item_id, project_id) do update
            set decision = excluded.decision, decided_by = excluded.decided_by, decided_at = excluded.decided_at
          where d.decision <> excluded.decision`)
  return changedRows > 0
}

const NO_TIMEOUT = { timeoutMs: 0 }

export async function findUnlinkedBudgetLoads(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from budget_years y join budget_loads l on l.id = y.load_id where not l.is_linked order by l.id`)
  return rows.map(({ id }) => id)
}

/** Finds published project loads that this version of the linking rules has not processed. Write their traits first. */
export async function findUnlinkedProjectLoads(db: Db, version: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from loads where state = 'published' and traits_version > 0 and budget_version <> ${version}::smallint order by id`)
  return rows.map(({ id }) => id)
}

export async function markBudgetLoadLinked(db: Db, loadId: number): Promise<void> {
  await db.execute(sql`update budget_loads set is_linked = true where id = ${loadId}::bigint`)
}

export async function markProjectLoadLinked(db: Db, loadId: number, version: number): Promise<void> {
  await db.execute(sql`update loads set budget_version = ${version}::smallint where id = ${loadId}::bigint`)
}

export async function findUnindexedBudgetItems(
  db: Db,
  version: number,
  limit: number,
): Promise<{ id: number; description: string }[]> {
  return db.query<{ id: number; description: string }>(
    sql`select item_id as id, description from budget_item_texts where words_version <> ${version}::smallint limit ${limit}::int`,
    NO_TIMEOUT,
  )
}

export async function saveBudgetItemWords(
  db: Db,
  rows: readonly { id: number; words: readonly number[] }[],
  version: number,
): Promise<void> {
  await db.execute(
    sql`
      update budget_item_texts t set words = r.words::int[], words_version = ${version}::smallint
      from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ words }) => `{${words.join(',')}}`)}::text[]) r (id, words)
      where t.item_id = r.id`,
    NO_TIMEOUT,
  )
}

export async function findLinkableBudgetUnits(db: Db): Promise<{ unit: number; name: string }[]> {
  return db.query<{ unit: number; name: string }>(
    sql`select n.id as unit, n.name from budget_names n where exists (select from budget_items i where i.unit = n.id)`,
    NO_TIMEOUT,
  )
}

/** `agency` and `place` as in `purchasingUnitsWithAgencySql`. */
export type BudgetBuyer = {
  readonly id: number
  readonly name: string
  readonly sub_name: string
  readonly agency: string
  readonly place: number | null
}

export async function loadBudgetBuyers(db: Db): Promise<BudgetBuyer[]> {
  return db.query<BudgetBuyer>(
    sql`select d.id, d.name, d.sub_name, d.agency, d.place from ${purchasingUnitsWithAgencySql()} d`,
    NO_TIMEOUT,
  )
}

/** Returns the provinces that the descriptions of a unit's items state. */
export async function listBudgetUnitProvinces(db: Db, unit: number): Promise<number[]> {
  const rows = await db.query<{ province: number }>(
    sql`select distinct i.province from budget_items i where i.unit = ${unit}::int and i.province is not null`,
  )
  return rows.map(({ province }) => province)
}

export type ProjectToLink = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly fiscal_year: number
  readonly budget_satang: number | null
  readonly project_province: number | null
  readonly unit_name: string
  readonly words: readonly number[]
}

type ProjectsToLinkSearch = {
  readonly departments: readonly number[]
  readonly loadId: number | undefined
  /** Departments whose projects of other loads are linked again. */
  readonly namesakes: readonly number[]
  readonly after: string
  readonly limit: number
}

export async function findProjectsToLink(db: Db, search: ProjectsToLinkSearch): Promise<ProjectToLink[]> {
  const { departments, loadId, namesakes, after, limit } = search
  const isOfLoad = sql`p.written_load = ${loadId ?? null}::bigint`
  return db.query<ProjectToLink>(
    sql`
      select p.project_id, p.name, p.department_id, p.fiscal_year, p.budget_satang, p.project_province, d.sub_name as unit_name,
        array(select w from unnest(t.tokens) w where w < 0) as words
      from projects p join project_traits t on t.project_id = p.project_id join departments d on d.id = p.department_id
      where p.project_id > ${after}::text and p.department_id = any (${[...departments]}::int[]) and p.fiscal_year is not null
        ${loadId === undefined ? empty : namesakes.length === 0 ? sql`and ${isOfLoad}` : sql`and (${isOfLoad} or p.department_id = any (${[...namesakes]}::int[]))`}
      order by p.project_id limit ${limit}::int`,
    NO_TIMEOUT,
  )
}

export async function findDepartmentsOfLoad(db: Db, loadId: number, departments: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`
      select distinct p.department_id as id from projects p
      where p.written_load = ${loadId}::bigint and p.department_id = any (${[...departments]}::int[])`,
    NO_TIMEOUT,
  )
  return rows.map(({ id }) => id)
}

export type BudgetItemToLink = {
  readonly id: number
  readonly unit: number
  readonly fiscal_year: number
  readonly amount_satang: number | null
  readonly is_multi_year: boolean
  readonly province: number | null
  readonly description: string
  readonly words: readonly number[]
}

export async function findBudgetItemsByUnit(db: Db, units: readonly number[]): Promise<BudgetItemToLink[]> {
  return db.query<BudgetItemToLink>(
    sql`
      select i.id, i.unit, i.fiscal_year, i.amount_satang, i.is_multi_year, i.province, t.description, t.words
      from budget_items i join budget_item_texts t on t.item_id = i.id
      where i.unit = any (${[...units]}::int[]) and t.words <> '{}' order by i.id`,
    NO_TIMEOUT,
  )
}

export type BudgetLinkRow = {
  readonly item_id: number
  readonly project_id: string
  readonly confidence: number
  readonly reasons: readonly string[]
}

/**
 * Replaces the links of these projects and refreshes the affected items. Keeps links that a user decided about, but
 * clears their evidence. Runs in the caller's transaction.
 */
export async function replaceBudgetLinks(
  tx: Db,
  projectIds: readonly string[],
  links: readonly BudgetLinkRow[],
): Promise<void> {
  const ids = sql`${[...projectIds]}::text[]`
  const previousLinks = await tx.query<{ item_id: number }>(
    sql`select distinct item_id from budget_links where project_id = any (${ids})`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      delete from budget_links l where l.project_id = any (${ids}) and not exists (
        select from budget_link_decisions d where d.item_id = l.item_id and d.project_id = l.project_id
      )`,
    NO_TIMEOUT,
  )
  // The links that are left have a user's decision, so update only what depends on the project.
  await tx.execute(
    sql`
      update budget_links l set confidence = 0, reasons = '{}', state = ${BUDGET_PROJECT_STATE_SQL}, estimate_satang = p.estimate_satang,
        winner_satang = p.winner_satang, announced_on = least(p.draft_published_on, p.bidding_invited_on, p.winner_announced_on, p.contract_signed_on)
      from projects p where l.project_id = any (${ids}) and p.project_id = l.project_id`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      insert into budget_links (item_id, project_id, confidence, reasons, state, announced_on, estimate_satang, winner_satang)
      select r.item_id, r.project_id, r.confidence, array(select json_array_elements_text(r.reasons)), ${BUDGET_PROJECT_STATE_SQL},
        least(p.draft_published_on, p.bidding_invited_on, p.winner_announced_on, p.contract_signed_on), p.estimate_satang, p.winner_satang
      from json_to_recordset(${JSON.stringify(links)}::text::json) as r (item_id int, project_id text, confidence real, reasons json)
      join projects p on p.project_id = r.project_id join budget_items i on i.id = r.item_id
      on conflict (item_id, project_id) do update set confidence = excluded.confidence, reasons = excluded.reasons`,
    NO_TIMEOUT,
  )
  const touched = new Set([...previousLinks, ...links].map(({ item_id }) => item_id))
  await refreshBudgetItemStates(tx, [...touched])
}

export async function refreshBudgetItemStates(tx: Db, itemIds: readonly number[]): Promise<void> {
  await tx.execute(
    sql`
      with now as (
        select w.id, coalesce(max(l.state) filter (where ${IS_CERTAIN_BUDGET_LINK_SQL}), 0)::smallint as state, count(l.item_id) filter (where ${IS_CERTAIN_BUDGET_LINK_SQL}) as links,
          count(l.item_id) filter (where ${IS_GUESSED_BUDGET_LINK_SQL}) as guesses
        from unnest(${[...itemIds]}::int[]) w (id) left join budget_links l on l.item_id = w.id group by w.id
      ), changed as (
        select i.id, i.fiscal_year, i.ministry, i.unit, i.plan, i.project, i.category, i.amount_satang, i.state as before, now.state as after,
          now.links, now.guesses
        from now join budget_items i on i.id = now.id where (i.state, i.links, i.guesses) is distinct from (now.state, now.links, now.guesses)
      ), written as (
        update budget_items i set state = c.after, links = c.links, guesses = c.guesses from changed c where i.id = c.id
      )
      ${MOVE_BUDGET_STATE_TOTALS_SQL}`,
    NO_TIMEOUT,
  )
}
