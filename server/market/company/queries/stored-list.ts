import sql, { empty, join, type Sql } from 'sql-template-tag'
import { MIN_BIDS_FOR_WIN_RATE, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import { COMPANY_DEFAULT_PAGE_SIZE, type CompanySearch } from '#contract/market/company-params.ts'
import { COMPANY_REF_SQL, companyNameCondition } from '#server/market/company/company-names-sql.ts'
import {
  BID_COLUMNS_SQL,
  BIDDER_COVERAGE_COLUMNS_SQL,
  type BidColumns,
  type BidderCoverageColumns,
  type CompanyFactScope,
  companyFactConditions,
  companySliceConditions,
  DISCOUNT_RATE_SQL,
  type DiscountColumns,
  discountColumnsSql,
  scopedCompanyFactsSql,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'

export type CompanyListScope = CompanyFactScope & { readonly search: CompanySearch; readonly userId: number }

export type StoredCompany = BidColumns &
  BidderCoverageColumns &
  DiscountColumns & {
    readonly id: number
    readonly name: string
    readonly tax_id: string | null
    readonly is_shared_name: boolean
    readonly is_sme: boolean | null
    readonly wins: number
    readonly value_satang: number | null
    readonly departments: number
    readonly top_method: string | null
    readonly last_win_on: string | null
  }

export type StoredCompanyList = {
  readonly total: number
  readonly wins: number
  /** Stored as a string, because the total may exceed int8. */
  readonly value_satang: string | null
  readonly rows: readonly StoredCompany[]
}

type ListOrder = { readonly field: string; readonly isDescending: boolean }

export function parseCompanyListOrder({ ordering = '-value' }: CompanySearch): ListOrder {
  const isDescending = ordering.startsWith('-')
  return { field: isDescending ? ordering.slice(1) : ordering, isDescending }
}

const DECIDED_BIDS = sql`(case when g.bids > 0 then g.bids_decided end)`
/** Sort expression of each figure; null sorts as unknown. Alias `g` is a row of `candidatesSql`, `c` the company. */
const SORT_SQL: Readonly<Record<string, Sql>> = {
  wins: sql`g.wins`,
  value: sql`g.value_satang`,
  bids: DECIDED_BIDS,
  win_rate: sql`(case when g.bids > 0 and g.bids_decided >= ${MIN_BIDS_FOR_WIN_RATE}::int then g.bids_won::float8 / g.bids_decided end)`,
  weighted_discount: sql`g.discount_saved_satang::float8 / nullif(g.discount_base_satang, 0)`,
  median_discount: sql`g.discount_median`,
  departments: sql`g.departments`,
  last_win: sql`g.last_win_on`,
  name: sql`c.name collate thai`,
}

/**
 * SQL condition per sort field: the company sorts last in either direction, because its discount is based on too few
 * projects.
 */
const IS_BEHIND: Readonly<Record<string, Sql>> = {
  weighted_discount: sql`(coalesce(g.discount_n, 0) < ${MIN_DISCOUNTS_TO_RANK}::int)`,
  median_discount: sql`(coalesce(g.discount_n, 0) < ${MIN_DISCOUNTS_TO_RANK}::int)`,
}

const TOTAL_COLUMNS = sql`f.company_id, f.wins, f.value_satang`

const IS_PRICED = sql`f.discount_base_satang is not null and not f.is_against_budget`
const DISCOUNT_N = sql`count(*) filter (where ${IS_PRICED})::int as discount_n`
const DEPARTMENTS = sql`count(distinct d.agency) filter (where f.is_winner)::int as departments`

const SORT_SUMS: Readonly<Record<string, { readonly slices?: Sql; readonly facts: Sql }>> = {
  bids: {
    slices: sql`, sum(f.bids)::int as bids, sum(f.bids_decided)::int as bids_decided`,
    facts: sql`, ${BID_COLUMNS_SQL}`,
  },
  win_rate: {
    slices: sql`, sum(f.bids)::int as bids, sum(f.bids_decided)::int as bids_decided, sum(f.bids_won)::int as bids_won`,
    facts: sql`, ${BID_COLUMNS_SQL}`,
  },
  weighted_discount: {
    slices: sql`, sum(f.discount_n)::int as discount_n, sum(f.discount_base_satang)::bigint as discount_base_satang, sum(f.discount_saved_satang)::bigint as discount_saved_satang`,
    facts: sql`, ${DISCOUNT_N}, sum(f.discount_base_satang) filter (where ${IS_PRICED})::bigint as discount_base_satang,
      sum(f.discount_base_satang - f.value_satang) filter (where ${IS_PRICED})::bigint as discount_saved_satang`,
  },
  last_win: {
    slices: sql`, max(f.last_win_on) as last_win_on`,
    facts: sql`, max(f.decided_on) filter (where f.is_winner) as last_win_on`,
  },
  // The slices lack the median discount and the number of departments, so these sorts read project rows.
  median_discount: {
    facts: sql`, ${DISCOUNT_N}, percentile_cont(0.5) within group (order by ${DISCOUNT_RATE_SQL}) filter (where ${IS_PRICED}) as discount_median`,
  },
  departments: { facts: sql`, ${DEPARTMENTS}` },
}

/**
 * Selects the companies in the scope from the cheapest source that has the sort field: figures by company and year,
 * slices, or the projects. All sources give the same result (a test compares them); their costs are in
 * `bench/companies.ts`. `among`: conditions on `f.company_id`.
 */
function candidatesSql(scope: CompanyListScope, { field }: ListOrder, among: Sql): Sql {
  const { search } = scope
  const slices = companySliceConditions(search)
  const year = storedYear(search)
  if (slices && year !== undefined)
    return sql`
      select ${TOTAL_COLUMNS}, f.bids, f.bids_decided, f.bids_won, f.discount_n, f.discount_base_satang, f.discount_saved_satang, f.last_win_on, f.discount_median, f.departments
      from company_figures f where f.fiscal_year = ${year}::smallint and ${among}`
  const sums = SORT_SUMS[field]
  if (slices && (sums === undefined || sums.slices)) {
    const stored = hasKinds(search)
      ? sql`company_slices f where ${slices}`
      : sql`company_figures f where f.fiscal_year > 0 and ${slices}`
    return sql`
      select f.company_id, sum(f.wins)::int as wins, sum(f.value_satang)::bigint as value_satang${sums?.slices ?? empty}
      from ${stored} and ${among} group by f.company_id`
  }
  const facts = scopedCompanyFactsSql(scope)
  return sql`
    select f.company_id, count(*) filter (where f.is_winner)::int as wins, sum(f.value_satang)::bigint as value_satang${sums?.facts ?? empty}
    from ${facts.from}${field === 'departments' ? sql` join ${purchasingUnitsWithAgencySql()} d on d.id = f.department_id` : empty}
    where ${facts.where} and ${among} group by f.company_id`
}

const hasKinds = (search: CompanySearch) =>
  [search.project_province__in, search.project_method__in, search.project_method_type__in].some(Boolean)

function storedYear(search: CompanySearch): number | undefined {
  if (hasKinds(search)) return undefined
  const { year_from: from, year_to: to } = search
  return from === to ? (from ?? 0) : undefined
}

const allOf = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`true` : join(conditions, ' and '))

function companyConditions({ search, userId }: CompanyListScope): Sql {
  const { project_winner_name__in: names, check_sme, met } = search
  return allOf([
    ...(names ? [companyNameCondition(names, sql`f.company_id`)] : []),
    ...(check_sme ? [sql`f.company_id in (select o.id from companies o where o.is_sme)`] : []),
    ...(met
      ? [
          sql`f.company_id in (
            select x.company_id from bookmarks b join company_projects x on x.project_id = b.project_id where b.user_id = ${userId}::int)`,
        ]
      : []),
  ])
}

function valueConditions({ company_value__range: range }: CompanySearch): Sql {
  return allOf([
    ...(range && range.min !== null ? [sql`g.value_satang >= ${Math.round(range.min * 100)}::bigint`] : []),
    ...(range && range.max !== null ? [sql`g.value_satang <= ${Math.round(range.max * 100)}::bigint`] : []),
  ])
}

/**
 * Loads a page of the company list by one statement, so that page and totals agree even while a load is being counted.
 * The page's figures are counted from the projects of its companies, whichever source selected the companies.
 */
export async function loadStoredCompanyList(db: Db, scope: CompanyListScope): Promise<StoredCompanyList> {
  const { search } = scope
  const order = parseCompanyListOrder(search)
  const size = search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const [list] = await db.query<StoredCompanyList>(sql`
    with found as materialized (
      select g.company_id, g.wins, g.value_satang, ${SORT_SQL[order.field]!} as sorted_by, ${IS_BEHIND[order.field] ?? sql`false`} as is_behind
      from (${candidatesSql(scope, order, companyConditions(scope))}) g${order.field === 'name' ? sql` join companies c on c.id = g.company_id` : empty}
      where ${valueConditions(search)}
    ), picked as materialized (
      select p.company_id, row_number() over () as place from (
        select t.company_id from found t order by t.is_behind, t.sorted_by ${direction} nulls last, t.company_id
        limit ${size}::int offset ${((search.page ?? 1) - 1) * size}::bigint
      ) p
    ), figures as materialized (
      select p.company_id, x.*,
        (select count(distinct d.agency)::int from ${purchasingUnitsWithAgencySql(sql`unit.id = any (x.department_ids)`)} d where d.id = any (x.department_ids)) as departments
      from picked p
      cross join lateral (
        select count(*) filter (where f.is_winner)::int as wins, sum(f.value_satang)::bigint as value_satang,
          ${BID_COLUMNS_SQL}, ${BIDDER_COVERAGE_COLUMNS_SQL}, ${discountColumnsSql()},
          mode() within group (order by f.method) filter (where f.is_winner) as top_method,
          max(f.decided_on) filter (where f.is_winner) as last_win_on,
          array_agg(distinct f.department_id) filter (where f.is_winner) as department_ids
        from company_projects f
        where f.company_id = p.company_id and ${companyFactConditions(scope)}
      ) x
    )
    select count(*)::int as total, coalesce(sum(t.wins), 0)::int as wins, sum(t.value_satang)::text as value_satang,
      coalesce((select json_agg(r order by r.place) from (
        select p.place, ${COMPANY_REF_SQL}, s.wins, s.value_satang, s.bids, s.bids_decided, s.bids_won, s.projects,
          s.coverage_full, s.coverage_names, s.coverage_winner, s.discount_n, s.discount_weighted, s.discount_median,
          s.budget_n, s.budget_weighted, s.budget_median, s.departments, v.value as top_method, s.last_win_on
        from picked p join companies c on c.id = p.company_id join figures s on s.company_id = p.company_id
        left join match_values v on v.id = s.top_method
      ) r), '[]') as rows
    from found t`)
  return list!
}
