import sql, { join, type Sql } from 'sql-template-tag'
import { REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import {
  companyFactsSql,
  companyFigureRowCondition,
  DEPARTMENT_RANKS_SQL,
  DISCOUNT_BIN_SQL,
  HAS_REFERENCE_DISCOUNT_SQL,
  MAX_NAMED_DEPARTMENTS,
} from '#server/market/company/company-facts-sql.ts'
import {
  BID_COLUMNS_SQL,
  BIDDER_COVERAGE_COLUMNS_SQL,
  type BidColumns,
  type CompanyFactScope,
  type DiscountColumns,
  discountColumnsSql,
  IS_WIN_VALUE_IN_DOUBT_SQL,
  type StatisticsScopeColumns,
  YEAR_RANGE_COLUMNS_SQL,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredCompanyPreviousPeriod = BidColumns &
  DiscountColumns & { readonly wins: number; readonly value: number | null }

export async function loadCompanyPreviousPeriod(
  db: Db,
  companyId: number,
  scope: CompanyFactScope,
): Promise<StoredCompanyPreviousPeriod> {
  const [previous] = await db.query<StoredCompanyPreviousPeriod>(sql`
    select count(*) filter (where f.is_winner)::int as wins, sum(f.value_satang)::bigint as value, ${BID_COLUMNS_SQL}, ${discountColumnsSql()}
    from (${companyFactsSql(companyId, scope)}) f`)
  return previous!
}

/** Value in satang; null if every value is unknown. */
type WonSums = { readonly wins: number; readonly value: number | null }
export type StoredCompanyDepartment = WonSums & {
  /** Null in the row that adds up the departments without a row of their own. */
  readonly department: string | null
  readonly departments: number
  readonly first_win: string | null
  readonly last_win: string | null
}

/** A company's figures in one scope. Money in satang, dates ISO. */
export type StoredCompanyDetail = {
  readonly aliases: readonly string[]
  readonly scope: StatisticsScopeColumns & BidColumns
  readonly years: readonly number[]
  readonly earliest_year: number | null
  readonly latest_year: number | null
  readonly figures: WonSums &
    DiscountColumns & {
      readonly contracts: number
      readonly median_contract: number | null
      readonly active_contracts: number
      readonly active_value: number | null
      readonly terminated: number
      readonly first_win: string | null
      readonly last_win: string | null
    }
  readonly by_year: readonly (WonSums & { readonly year: number | null })[]
  readonly by_department: readonly StoredCompanyDepartment[]
  readonly by_method: readonly (WonSums & { readonly method: string })[]
  readonly by_type: readonly (WonSums & { readonly method_type: string })[]
  readonly by_criteria: readonly (WonSums & DiscountColumns & { readonly criteria: string })[]
  readonly by_province: readonly (WonSums & { readonly province: number | null })[]
  readonly discount_bins: readonly { readonly bin: number; readonly count: number }[]
  /** Discounts by reference price, in the order of `REFERENCE_PRICE_BANDS`. */
  readonly discount_by_size: readonly DiscountColumns[]
}

const jsonRows = (query: Sql) => sql`coalesce((select json_agg(r) from (${query}) r), '[]')`
const jsonRow = (query: Sql) => sql`(select row_to_json(r) from (${query}) r)`
const WON_SUMS = sql`count(*) as wins, sum(f.value_satang) as value`
const HIGHEST_VALUE_FIRST = sql`sum(f.value_satang) desc nulls last, count(*) desc`
const byValue = (number: Sql, name: Sql, extraColumns: Sql = sql``) => sql`
  select v.value as ${name}, ${WON_SUMS}${extraColumns} from wins f join match_values v on v.id = ${number} group by v.id order by ${HIGHEST_VALUE_FIRST}, v.value`

/**
 * Loads a company's figures by one statement, so that they agree even while a load is being counted. `today` is the ISO
 * date in Bangkok.
 */
export async function loadStoredCompanyDetail(
  db: Db,
  companyId: number,
  scope: CompanyFactScope,
  today: string,
): Promise<StoredCompanyDetail> {
  const isActive = companyFigureRowCondition({ kind: 'active' }, today)
  const bySize = REFERENCE_PRICE_BANDS.map((band) =>
    jsonRow(
      sql`select ${discountColumnsSql()} from wins f where ${companyFigureRowCondition({ kind: 'size', ...band }, today)}`,
    ),
  )
  const [detail] = await db.query<StoredCompanyDetail>(sql`
    with facts as materialized (${companyFactsSql(companyId, scope)}),
      wins as (select f.* from facts f where f.is_winner),
      places as materialized (${DEPARTMENT_RANKS_SQL})
    select
      array(select n.name from company_names n join companies c on c.id = n.company_id
        where c.id = ${companyId}::int and n.name <> c.name order by n.uses desc, n.name) as aliases,
      ${jsonRow(sql`select ${BIDDER_COVERAGE_COLUMNS_SQL}, ${YEAR_RANGE_COLUMNS_SQL}, ${BID_COLUMNS_SQL}, count(*) filter (where ${IS_WIN_VALUE_IN_DOUBT_SQL}) as amounts_in_doubt from facts f`)} as scope,
      array(select f.fiscal_year from company_figures f
        where f.company_id = ${companyId}::int and f.fiscal_year > 0 order by f.fiscal_year desc) as years,
      (select min(f.fiscal_year) from company_figures f where f.fiscal_year > 0) as earliest_year,
      (select max(f.fiscal_year) from company_figures f where f.fiscal_year > 0) as latest_year,
      ${jsonRow(sql`
        select ${WON_SUMS}, coalesce(sum(f.contracts), 0) as contracts, ${discountColumnsSql()},
          (select percentile_cont(0.5) within group (order by a.satang) from (select unnest(w.contract_amounts) as satang from wins w) a) as median_contract,
          (select count(*) from (select unnest(w.open_until) as day from wins w) u where u.day >= ${today}::date) as active_contracts,
          sum(f.value_satang) filter (where ${isActive}) as active_value,
          count(*) filter (where ${companyFigureRowCondition({ kind: 'terminated' }, today)}) as terminated, min(f.decided_on) as first_win, max(f.decided_on) as last_win
        from wins f`)} as figures,
      ${jsonRows(sql`select f.fiscal_year as year, ${WON_SUMS} from wins f group by 1 order by 1 nulls first`)} as by_year,
      ${jsonRows(sql`
        select case when p.place <= ${MAX_NAMED_DEPARTMENTS}::int then p.department end as department, count(*) as departments, sum(p.wins)::int as wins,
          sum(p.value) as value, min(p.first_win) as first_win, max(p.last_win) as last_win
        from places p group by 1, least(p.place, ${MAX_NAMED_DEPARTMENTS}::int + 1) order by min(p.place)`)} as by_department,
      ${jsonRows(byValue(sql`f.method`, sql`method`))} as by_method,
      ${jsonRows(byValue(sql`f.method_type`, sql`method_type`))} as by_type,
      ${jsonRows(byValue(sql`f.criteria`, sql`criteria`, sql`, ${discountColumnsSql()}`))} as by_criteria,
      ${jsonRows(sql`select f.project_province as province, ${WON_SUMS} from wins f group by 1 order by ${HIGHEST_VALUE_FIRST}, 1`)} as by_province,
      ${jsonRows(sql`select ${DISCOUNT_BIN_SQL} as bin, count(*) as count from wins f where ${HAS_REFERENCE_DISCOUNT_SQL} group by 1 order by 1`)} as discount_bins,
      json_build_array(${join(bySize)}) as discount_by_size`)
  return detail!
}
