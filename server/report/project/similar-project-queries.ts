import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { HAS_DOUBTFUL_ESTIMATE_SQL, isPriceInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import type { ProjectSizeRange } from './trait-tokens.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

export type ProjectTraitRow = {
  readonly project_id: string
  readonly size_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly decided_on: string | null
  readonly tokens: readonly number[]
}

export async function findDataLoadsWithoutProjectTraits(db: Db, version: number): Promise<number[]> {
  const loads = await db.query<{ id: number }>(sql`
    select l.id from loads l where l.state = 'published' and l.traits_version <> ${version}::smallint order by l.id`)
  return loads.map(({ id }) => id)
}

export async function saveProjectTraits(db: Db, rows: readonly ProjectTraitRow[]): Promise<void> {
  // Pass the tokens as text, because a nested array parameter would have to be rectangular.
  const tokens = rows.map((row) => `{${row.tokens.join(',')}}`)
  await db.execute(
    sql`
      insert into project_traits as t (project_id, size_satang, estimate_satang, winner_satang, decided_on, tokens)
      select r.project_id, r.size_satang, r.estimate_satang, r.winner_satang, r.decided_on, r.tokens::int[]
      from unnest(${rows.map((row) => row.project_id)}::text[], ${rows.map((row) => row.size_satang)}::bigint[],
        ${rows.map((row) => row.estimate_satang)}::bigint[], ${rows.map((row) => row.winner_satang)}::bigint[],
        ${rows.map((row) => row.decided_on)}::date[], ${tokens}::text[]) as r (project_id, size_satang, estimate_satang, winner_satang, decided_on, tokens)
      on conflict (project_id) do update set size_satang = excluded.size_satang, estimate_satang = excluded.estimate_satang,
        winner_satang = excluded.winner_satang, decided_on = excluded.decided_on, tokens = excluded.tokens
      where (t.size_satang, t.estimate_satang, t.winner_satang, t.decided_on, t.tokens)
        is distinct from (excluded.size_satang, excluded.estimate_satang, excluded.winner_satang, excluded.decided_on, excluded.tokens)`,
    NO_TIMEOUT,
  )
}

export async function markProjectTraitsWritten(db: Db, loadId: number, version: number): Promise<void> {
  await db.execute(sql`update loads set traits_version = ${version}::smallint where id = ${loadId}::bigint`)
}

export type ComparedProject = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly dept_province: number | null
  readonly project_province: number | null
  readonly method: string
  readonly method_type: string
  readonly status: string
  readonly fiscal_year: number | null
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly announced_on: string | null
  readonly movement_on: string | null
}

export async function loadComparedProject(
  db: Db,
  projectId: string,
  organisationId: number,
): Promise<ComparedProject | undefined> {
  const [project] = await db.query<ComparedProject>(sql`
    select p.project_id, p.name, p.department_id, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province, p.project_province,
      p.method, p.method_type, p.status, p.fiscal_year, p.budget_satang, p.estimate_satang, p.winner_satang,
      least(p.draft_published_on, p.bidding_invited_on, p.winner_announced_on, p.contract_signed_on) as announced_on, p.movement_on
    from project_matches m
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    where m.organisation_id = ${organisationId}::int and m.project_id = ${projectId}::text`)
  return project
}

export type DecidedProject = {
  readonly project_id: string
  readonly size_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number
  readonly decided_on: string | null
  readonly tokens: readonly number[]
}

export type DecidedProjectSearch = {
  readonly kinds: readonly number[]
  /** Word that the name must contain; undefined for any name. */
  readonly word: number | undefined
  readonly sizes: ProjectSizeRange | undefined
  readonly except: string
  readonly limit: number
  /** Day; undefined includes every decided project. */
  readonly decidedBefore?: string | undefined
}

export async function findDecidedProjects(db: Db, search: DecidedProjectSearch): Promise<DecidedProject[]> {
  const { kinds, word, sizes, except, limit, decidedBefore } = search
  const words = word === undefined ? [] : [word]
  // Without size tokens, which too many projects share for the index to help. A single kind costs least as one of the
  // required tokens.
  const [requiredTokens, anyKind] =
    kinds.length === 1 ? [[...words, ...kinds], empty] : [words, sql`and t.tokens && ${[...kinds]}::int[]`]
  return db.query<DecidedProject>(sql`
    select t.project_id, t.size_satang, t.estimate_satang, t.winner_satang, t.decided_on, t.tokens
    from project_traits t
    where t.tokens @> ${requiredTokens}::int[] ${anyKind}
      ${sizes ? sql`and t.size_satang between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}
      ${decidedBefore === undefined ? empty : sql`and t.decided_on < ${decidedBefore}::date`}
      and t.project_id <> ${except}::text
    order by t.decided_on desc nulls last, t.project_id limit ${limit}::int`)
}

export type ProjectWithDoubtfulPrice = Omit<DecidedProject, 'estimate_satang' | 'winner_satang'> & {
  readonly method: string
}

/**
 * Returns projects whose price an import left out as doubtful, so that they have no price to compare. Doubtful prices
 * are rare (about a hundred of 1.36 million), so their projects are read instead of an index of traits.
 */
export async function findProjectsWithDoubtfulPrice(
  db: Db,
  {
    methodType,
    word,
    sizes,
    except,
  }: Pick<DecidedProjectSearch, 'sizes' | 'except'> & { readonly methodType: string; readonly word: number },
): Promise<ProjectWithDoubtfulPrice[]> {
  return db.query<ProjectWithDoubtfulPrice>(sql`
    select t.project_id, t.size_satang, coalesce(p.winner_announced_on, p.contract_signed_on, p.bidding_invited_on) as decided_on, t.tokens, p.method
    from projects p join project_traits t on t.project_id = p.project_id
    where ${isPriceInDoubtSql(sql`p`, sql`p.winner_satang`)} and p.status not in ('project_cancelled', 'invitation_cancelled')
      and p.method_type = ${methodType}::text and ${word}::int = any (t.tokens) and p.project_id <> ${except}::text
      ${sizes ? sql`and t.size_satang between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}`)
}

export async function countDoubtfulReferences(db: Db, projectIds: readonly string[]): Promise<number> {
  if (projectIds.length === 0) return 0
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from project_doubts u
    where u.project_id = any (${[...projectIds]}::text[]) and ${HAS_DOUBTFUL_ESTIMATE_SQL}`)
  return row!.count
}

export type ProjectBuyer = {
  readonly project_id: string
  readonly department_id: number
  readonly name: string
  readonly province: number | null
}

export async function loadProjectBuyers(db: Db, projectIds: readonly string[]): Promise<Map<string, ProjectBuyer>> {
  const rows = await db.query<ProjectBuyer>(sql`
    select p.project_id, p.department_id, d.name, d.province
    from projects p join departments d on d.id = p.department_id where p.project_id = any (${[...projectIds]}::text[])`)
  return new Map(rows.map((row) => [row.project_id, row]))
}

export async function loadMinistriesByAgencyName(db: Db, nameKeys: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ name_key: string; ministry: string }>(sql`
    select a.name_key, a.ministry from agency_directory a where a.name_key = any (${[...nameKeys]}::text[])`)
  return new Map(rows.map(({ name_key, ministry }) => [name_key, ministry]))
}

export type SimilarProjectDetail = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly project_province: number | null
  readonly method: string
  readonly budget_satang: number | null
  readonly winner_name: string | null
  readonly winner_tin: string | null
  readonly in_report: boolean
  /** All bid prices, ascending; only for projects whose bids are all known. */
  readonly bids: readonly number[]
}

export async function loadSimilarProjectDetails(
  db: Db,
  {
    projectIds,
    withBids,
    organisationId,
  }: {
    readonly projectIds: readonly string[]
    readonly withBids: readonly string[]
    readonly organisationId: number
  },
): Promise<Map<string, SimilarProjectDetail>> {
  const rows = await db.query<SimilarProjectDetail>(sql`
    select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.project_province, p.method, p.budget_satang, p.winner_name,
      (select c.winner_tin from contracts c where c.project_id = p.project_id order by c.contract_no limit 1) as winner_tin,
      exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id) as in_report,
      case when p.project_id = any (${[...withBids]}::text[]) then coalesce((
        select json_agg(b.price_satang order by b.price_satang) from bidders b where b.project_id = p.project_id
      ), '[]') else '[]' end as bids
    from projects p join departments d on d.id = p.department_id where p.project_id = any (${[...projectIds]}::text[])`)
  return new Map(rows.map((row) => [row.project_id, row]))
}
