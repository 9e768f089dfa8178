import sql, { empty, join, type Sql } from 'sql-template-tag'
import { parseAgencyName } from '#contract/catalogue/agency-name.ts'
import { type BidFigures, type DiscountFigures, MIN_BIDS_FOR_WIN_RATE } from '#contract/market/company.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import { isPriceInDoubtSql } from '#server/platform/text/doubt-sql.ts'

export type CompanyFactScope = {
  readonly search: StatisticsScopeSearch
  readonly organisationId: number
}

/** Raise this when the rules for storing companies and their figures change, so that all loads are counted again. */
export const COMPANY_FIGURES_VERSION = 6

const numbersOf = (kind: 'method' | 'method_type', values: readonly string[]) =>
  sql`array(select v.id from match_values v where v.kind = ${kind}::text and v.value = any (${[...values]}::text[]))`

export const isStatisticsScopeRestrictedToReport = ({
  scope,
  keyword_group__in: groups,
}: StatisticsScopeSearch): boolean => scope === 'watch' || groups !== undefined

export function projectMatchRowsSql(groups: readonly string[] | undefined): Sql {
  return groups === undefined ? sql`project_matches m` : sql`worded_matches m`
}

/**
 * SQL condition: match row `m` belongs to the organisation's report, archived projects included; with `groups`, only
 * projects matched by a keyword of those groups. A group without keywords or of another organisation matches nothing.
 */
export function organisationReportMatchCondition(organisationId: number, groups: readonly string[] | undefined): Sql {
  const ownRows = sql`m.organisation_id = ${organisationId}::int`
  if (groups === undefined) return ownRows
  return sql`${ownRows} and exists (
    select from jsonb_array_elements(m.reasons) r
    where (r ->> 'keyword')::int = any (array(
      select k.id from keywords k where k.organisation_id = ${organisationId}::int and k.group_id = any (${groups.map(Number)}::int[]))))`
}

/**
 * Conditions of a figure scope over rows with the columns of `company_projects` and `project_spending` (alias `f`);
 * "true" for an empty scope. Unknown names match nothing; they never widen the scope.
 */
export function companyFactConditions({ search, organisationId }: CompanyFactScope): Sql {
  const departments = search.project_dept_sub__in
  const provinces = search.project_province__in
  const conditions = [
    // `offset 0` forces an index lookup per fact; otherwise each statement reads all matches (716,938).
    isStatisticsScopeRestrictedToReport(search) &&
      sql`exists (select from ${projectMatchRowsSql(search.keyword_group__in)}
        where ${organisationReportMatchCondition(organisationId, search.keyword_group__in)} and m.project_id = f.project_id offset 0)`,
    ...sharedConditions(search),
    departments && sql`f.department_id = any (${departmentIdsSql(departments)})`,
    provinces && sql`f.project_province = any (${provinceCodes(provinces)}::smallint[])`,
  ].filter((condition) => typeof condition === 'object')
  return conditions.length === 0 ? sql`true` : join(conditions, ' and ')
}

/**
 * Returns the facts of all companies in a scope, as a `from` item with alias `f`, and the remaining conditions. An
 * organisation's report is read project by project from the covering index: 0.2 s of CPU for 42,829 projects, where
 * joining all 858,524 facts of a year takes 0.4 s. `offset 0` keeps the planner from reversing that order, because it
 * overestimates the cost of each lookup.
 */
export function scopedCompanyFactsSql({ search, organisationId }: CompanyFactScope): {
  readonly from: Sql
  readonly where: Sql
} {
  if (!isStatisticsScopeRestrictedToReport(search))
    return { from: sql`company_projects f`, where: companyFactConditions({ search, organisationId }) }
  const { scope: _, keyword_group__in: groups, ...otherFilters } = search
  return {
    from: sql`(
      select x.* from ${projectMatchRowsSql(groups)}
      cross join lateral (select y.* from company_projects y where y.project_id = m.project_id offset 0) x
      where ${organisationReportMatchCondition(organisationId, groups)} offset 0
    ) f`,
    where: companyFactConditions({ search: otherFilters, organisationId }),
  }
}

function sharedConditions(search: StatisticsScopeSearch): Sql[] {
  const { year_from: from, year_to: to, project_method__in: methods, project_method_type__in: types } = search
  return [
    from !== undefined && sql`f.fiscal_year >= ${from}::int`,
    to !== undefined && sql`f.fiscal_year <= ${to}::int`,
    methods && sql`f.method = any (${numbersOf('method', methods)})`,
    types && sql`f.method_type = any (${numbersOf('method_type', types)})`,
  ].filter((condition) => typeof condition === 'object')
}

/**
 * Like `companyFactConditions`, over `company_slices` and `department_spending` (alias `f`), where year and province 0 mean
 * unknown. Returns undefined when the scope needs project rows: the report, or (for companies) departments.
 */
export function companySliceConditions(search: StatisticsScopeSearch): Sql | undefined {
  if (isStatisticsScopeRestrictedToReport(search) || search.project_dept_sub__in) return undefined
  const provinces = search.project_province__in
  const conditions = [
    ...(search.year_to !== undefined && search.year_from === undefined ? [sql`f.fiscal_year > 0`] : []),
    ...sharedConditions(search),
    ...(provinces ? [sql`f.project_province = any (${provinceCodes(provinces)}::smallint[])`] : []),
  ]
  return conditions.length === 0 ? sql`true` : join(conditions, ' and ')
}

/**
 * Returns an SQL array with the ids of the units of these agencies, and of units that have one of the names themselves.
 */
export function departmentIdsSql(names: readonly string[]): Sql {
  const bodies = names.flatMap((name) => parseAgencyName(name) ?? [])
  return sql`array(select d.id from departments d where d.name = any (${[...names]}::text[]) or d.sub_name = any (${[...names]}::text[])
    ${
      bodies.length === 0
        ? empty
        : sql`or exists (select from ${purchasingUnitsWithAgencySql(sql`unit.name = any (${bodies.map(({ name }) => name)}::text[])`)} o
      join unnest(${bodies.map(({ name }) => name)}::text[], ${bodies.map(({ province }) => province)}::smallint[]) as b (name, province)
        on o.name = b.name and o.place is not distinct from b.province where o.id = d.id)`
    })`
}

const provinceCodes = (names: readonly string[]) => names.map((name) => findProvinceByName(name)?.code ?? -1)

export type DiscountColumns = {
  readonly discount_n: number
  readonly discount_weighted: number | null
  readonly discount_median: number | null
  readonly budget_n: number
  readonly budget_weighted: number | null
  readonly budget_median: number | null
}

export const DISCOUNT_RATE_SQL = sql`((f.discount_base_satang - f.value_satang)::float8 / f.discount_base_satang)`

/**
 * Returns the select list of the discount columns (D20) of grouped facts (alias `f`); `also` adds a filter. Discounts
 * against the budget are counted separately. Pass the row to `toDiscountFigures`.
 */
export function discountColumnsSql(also: Sql = sql`true`): Sql {
  const columns = (isAgainstBudget: boolean, prefix: string) => {
    const filter = sql`filter (where f.discount_base_satang is not null and ${isAgainstBudget ? empty : sql`not `}f.is_against_budget and ${also})`
    const alias = (name: string) => sql([`as ${prefix}_${name}`])
    return sql`count(*) ${filter}::int ${alias('n')},
      (sum(f.discount_base_satang - f.value_satang) ${filter}::float8 / sum(f.discount_base_satang) ${filter}::float8) ${alias('weighted')},
      (percentile_cont(0.5) within group (order by ${DISCOUNT_RATE_SQL}) ${filter}) ${alias('median')}`
  }
  return sql`${columns(false, 'discount')}, ${columns(true, 'budget')}`
}

/** Rounds a share to a hundredth of a percentage point, the precision of prices in whole baht. */
export function roundNullableShare(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000
}

export function toDiscountFigures(row: DiscountColumns): DiscountFigures {
  return {
    n: row.discount_n,
    weighted: roundNullableShare(row.discount_weighted),
    median: roundNullableShare(row.discount_median),
    against_budget: {
      n: row.budget_n,
      weighted: roundNullableShare(row.budget_weighted),
      median: roundNullableShare(row.budget_median),
    },
  }
}

export type BidColumns = {
  readonly bids: number | null
  readonly bids_decided: number | null
  readonly bids_won: number | null
}

/**
 * Select list of the bid columns of grouped facts (alias `f`). Counts only projects with known bidders (D21). Pass the
 * row to `toBidFigures`.
 */
export const BID_COLUMNS_SQL = sql`count(*) filter (where f.coverage > 0)::int as bids,
  count(*) filter (where f.coverage > 0 and f.is_decided)::int as bids_decided,
  count(*) filter (where f.coverage > 0 and f.is_winner)::int as bids_won`

export function toBidFigures({ bids, bids_decided, bids_won }: BidColumns): BidFigures | null {
  if (bids === null || bids === 0) return null
  const decided = bids_decided ?? 0
  const won = bids_won ?? 0
  return { bids: decided, won, win_rate: decided < MIN_BIDS_FOR_WIN_RATE ? null : roundNullableShare(won / decided) }
}

export type BidderCoverageColumns = {
  readonly projects: number
  readonly coverage_full: number
  readonly coverage_names: number
  readonly coverage_winner: number
}

/**
 * Select list that counts the projects of grouped facts (alias `f`) by how many of their bidders are known. Expects one
 * row per project.
 */
export const BIDDER_COVERAGE_COLUMNS_SQL = sql`count(*)::int as projects,
  count(*) filter (where f.coverage = 2)::int as coverage_full,
  count(*) filter (where f.coverage = 1)::int as coverage_names,
  count(*) filter (where f.coverage = 0)::int as coverage_winner`

export function toBidderCoverage(row: BidderCoverageColumns): StatisticsScope['coverage'] {
  return { full: row.coverage_full, names: row.coverage_names, winner: row.coverage_winner }
}

export const IS_WIN_VALUE_IN_DOUBT_SQL = sql`(f.is_winner and ${isPriceInDoubtSql(sql`f`, sql`f.value_satang`)})`

export type AmountInDoubtColumns = { readonly amounts_in_doubt: number }

export const YEAR_RANGE_COLUMNS_SQL = sql`min(nullif(f.fiscal_year, 0)) as year_from, max(nullif(f.fiscal_year, 0)) as year_to`
export type YearRangeColumns = { readonly year_from: number | null; readonly year_to: number | null }
export type StatisticsScopeColumns = BidderCoverageColumns & YearRangeColumns & AmountInDoubtColumns

export function toStatisticsScope(
  search: StatisticsScopeSearch,
  row: StatisticsScopeColumns,
  computedAt: string | null,
): StatisticsScope {
  const { year_from, year_to, projects, amounts_in_doubt } = row
  return {
    universe: isStatisticsScopeRestrictedToReport(search) ? 'watch' : 'all',
    year_from,
    year_to,
    n: projects,
    coverage: toBidderCoverage(row),
    computed_at: computedAt,
    ...(amounts_in_doubt > 0 ? { amounts_in_doubt } : {}),
  }
}

/** Returns the publication time of the newest counted load, UTC ISO; null before the first load. */
export async function loadCompanyFiguresTime(db: Db): Promise<string | null> {
  const [newest] = await db.query<{ at: string | null }>(sql`
    select max(l.published_at) as at from loads l where l.state = 'published' and l.companies_version = ${COMPANY_FIGURES_VERSION}::smallint`)
  return newest?.at ?? null
}
