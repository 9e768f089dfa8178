import sql, { raw } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

/**
 * Regular expression for stored spaced texts that today's `normaliseThai` would not produce, and for a few that only look
 * like such texts. The indexes of migration 0130 contain the same expressions.
 */
export const STALE_NORMALISED_TEXT_PATTERN =
  "[«»˝″‶“”„‟❝❞〝〞〟´ʹʻʼʽ‘’‚‛′‵‹›❛❜˗‐‑‒–—―⁃−➖⁄∕⧸˜∼〜×✕✖⨉⨯∅⌀ᴓº˚،٬]|(^|[^0-9,./])[1-9][0-9]{0,2}([,'][0-9]{3})+([^0-9,]|$)"
/** Compact texts of versions that removed spaces next to Thai characters only. */
export const STALE_COMPACT_TEXT_PATTERN = ' -|- '
const staleSpaced = (column: string) => raw(`${column} ~ '${STALE_NORMALISED_TEXT_PATTERN.replaceAll("'", "''")}'`)
const staleCompact = (column: string) => raw(`${column} ~ '${STALE_COMPACT_TEXT_PATTERN}'`)
const stale = (spaced: string, compact: string) => sql`(${staleSpaced(spaced)} or ${staleCompact(compact)})`

export type StaleProjectName = {
  readonly id: string
  readonly name: string
  readonly spaced: string
  readonly compact: string
}

export async function findStaleProjectNames(db: Db, after: string, limit: number): Promise<StaleProjectName[]> {
  return await db.query<StaleProjectName>(
    sql`
      select p.project_id as id, p.name, p.name_spaced as spaced, p.name_search as compact from projects p
      where ${stale('p.name_spaced', 'p.name_search')} and p.project_id > ${after} order by p.project_id limit ${limit}::int`,
    NO_TIMEOUT,
  )
}

export type NormalisedProjectName = { readonly id: string; readonly compact: string; readonly spaced: string }

export async function writeNormalisedProjectNames(
  tx: Db,
  names: readonly (NormalisedProjectName & { readonly name: string })[],
): Promise<void> {
  const updates = sql`json_to_recordset(${JSON.stringify(names)}::text::json) as t (id text, name text, compact text, spaced text)`
  await tx.execute(
    sql`
      update projects p set name_search = t.compact, name_spaced = t.spaced from ${updates}
      where p.project_id = t.id and p.name = t.name`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      update project_texts x set name_search = t.compact from ${updates} join project_filters f on f.project_id = t.id
      where x.filters_id = f.id`,
    NO_TIMEOUT,
  )
}

export type StaleNormalisedWinnerNames = {
  readonly id: number
  readonly spaced: string
  readonly compact: string
  readonly winner_name: string | null
  readonly other_winners: string | null
}

export async function findStaleNormalisedWinnerNames(
  db: Db,
  after: number,
  limit: number,
): Promise<StaleNormalisedWinnerNames[]> {
  return await db.query<StaleNormalisedWinnerNames>(
    sql`
      select x.filters_id as id, x.winner_spaced as spaced, x.winner_search as compact, p.winner_name, p.other_winners
      from project_texts x join project_filters f on f.id = x.filters_id join projects p on p.project_id = f.project_id
      where ${stale('x.winner_spaced', 'x.winner_search')} and x.filters_id > ${after}::int order by x.filters_id limit ${limit}::int`,
    NO_TIMEOUT,
  )
}

export async function writeNormalisedWinnerNames(
  tx: Db,
  rows: readonly { readonly id: number; readonly compact: string; readonly spaced: string }[],
): Promise<void> {
  await tx.execute(
    sql`
      update project_texts x set winner_search = t.compact, winner_spaced = t.spaced
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (id int, compact text, spaced text) where x.filters_id = t.id`,
    NO_TIMEOUT,
  )
}

export type StaleNormalisedText = {
  readonly id: number
  readonly spaced: string
  readonly compact: string
  readonly lines: readonly string[]
}

export async function findStaleNormalisedDepartmentNames(
  db: Db,
): Promise<(Omit<StaleNormalisedText, 'lines'> & { dept_name: string; dept_sub_name: string })[]> {
  return await db.query(
    sql`
      select x.department_id as id, x.dept_spaced as spaced, x.dept_search as compact, d.name as dept_name,
        d.sub_name as dept_sub_name
      from department_texts x join departments d on d.id = x.department_id
      where ${stale('x.dept_spaced', 'x.dept_search')}`,
    NO_TIMEOUT,
  )
}

export async function writeNormalisedDepartmentNames(
  tx: Db,
  rows: readonly { readonly id: number; readonly compact: string; readonly spaced: string }[],
): Promise<void> {
  await tx.execute(
    sql`
      update department_texts x set dept_search = t.compact, dept_spaced = t.spaced
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (id int, compact text, spaced text) where x.department_id = t.id`,
    NO_TIMEOUT,
  )
}

export async function findStaleNormalisedBudgetTexts(db: Db): Promise<StaleNormalisedText[]> {
  return await db.query<StaleNormalisedText>(
    sql`
      select t.item_id as id, t.search_spaced as spaced, t.search_compact as compact,
        array_remove(array[t.description, n.name, t.output, t.project], null) as lines
      from budget_item_texts t join budget_items i on i.id = t.item_id join budget_names n on n.id = i.unit
      where ${stale('t.search_spaced', 't.search_compact')}`,
    NO_TIMEOUT,
  )
}

export async function writeNormalisedBudgetTexts(
  tx: Db,
  rows: readonly { readonly id: number; readonly compact: string; readonly spaced: string }[],
): Promise<void> {
  await tx.execute(
    sql`
      update budget_item_texts x set search_compact = t.compact, search_spaced = t.spaced
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (id int, compact text, spaced text) where x.item_id = t.id`,
    NO_TIMEOUT,
  )
}

export type KeywordWithStaleKey = {
  readonly id: number
  readonly organisation_id: number
  readonly list: string
  readonly word: string
  readonly word_key: string
}

export async function findKeywordsWithStaleKey(db: Db): Promise<KeywordWithStaleKey[]> {
  return await db.query<KeywordWithStaleKey>(
    sql`
      select k.id, k.organisation_id, k.list, k.word, k.word_key from keywords k
      where ${stale('k.word_key', 'k.word_key')}`,
    NO_TIMEOUT,
  )
}

/**
 * Updates the key of a keyword unless another keyword of the list already has that key. In that case both keywords stay
 * as they are and both match.
 */
export async function updateKeywordKey(
  tx: Db,
  { id, organisation_id, list }: KeywordWithStaleKey,
  key: string,
): Promise<void> {
  await tx.execute(sql`
    update keywords k set word_key = ${key} where k.id = ${id}::int and not exists (
      select from keywords o where o.organisation_id = ${organisation_id}::int and o.list = ${list} and o.word_key = ${key})`)
}

export type StalePlanTitle = { readonly id: string; readonly title: string; readonly key: string }

export async function findStalePlanTitles(db: Db): Promise<StalePlanTitle[]> {
  return await db.query<StalePlanTitle>(
    sql`
      select p.plan_id as id, p.title, p.title_key as key from purchase_plans p
      where p.project_id is null and ${stale('p.title_key', 'p.title_key')}`,
    NO_TIMEOUT,
  )
}

export async function updatePlanTitleKey(db: Db, { id, title }: StalePlanTitle, key: string): Promise<void> {
  await db.execute(
    sql`update purchase_plans p set title_key = ${key} where p.plan_id = ${id} and p.title = ${title}`,
    NO_TIMEOUT,
  )
}

export async function findOrganisationIds(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select o.id from organisations o order by o.id`, NO_TIMEOUT)
  return rows.map(({ id }) => id)
}
