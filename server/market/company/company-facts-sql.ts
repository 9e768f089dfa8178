import sql, { type Sql } from 'sql-template-tag'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import { TERMINATED_CONTRACT_STATUS } from '#server/platform/text/contract-status.ts'
import { type CompanyFactScope, companyFactConditions } from './company-scope.ts'
import {
  type CompanyFigureRowFilter,
  DISCOUNT_BINS_BELOW_ZERO,
  DISCOUNT_BINS_PER_UNIT,
  LAST_DISCOUNT_BIN,
} from './figure-row-filter.ts'

export const MAX_NAMED_DEPARTMENTS = 15

/** Returns a query with one row per project of the company; use it as `facts f`. */
export function companyFactsSql(companyId: number, scope: CompanyFactScope): Sql {
  return sql`
    select f.company_id, f.project_id, f.fiscal_year, f.project_province, f.method, f.method_type, f.criteria, f.coverage, f.is_winner, f.is_decided, f.contracts,
      f.value_satang, f.bid_satang, f.reference_satang, f.discount_base_satang, f.is_against_budget, f.decided_on, f.happened_on,
      f.contract_amounts, f.open_until, d.agency as department
    from company_projects f
    join ${purchasingUnitsWithAgencySql(sql`unit.id in (select x.department_id from company_projects x where x.company_id = ${companyId}::int)`)} d on d.id = f.department_id
    where f.company_id = ${companyId}::int and ${companyFactConditions(scope)}`
}

export const DEPARTMENT_RANKS_SQL = sql`
  select f.department, count(*) as wins, sum(f.value_satang) as value, min(f.decided_on) as first_win, max(f.decided_on) as last_win,
    row_number() over (order by sum(f.value_satang) desc nulls last, count(*) desc, f.department) as place
  from facts f where f.is_winner group by f.department`

/**
 * SQL condition: the discount of fact `f` is against the reference price (D20). Discounts against the budget are
 * counted separately.
 */
export const HAS_REFERENCE_DISCOUNT_SQL = sql`(f.discount_base_satang is not null and not f.is_against_budget)`
const IS_AGAINST_BUDGET = sql`(f.discount_base_satang is not null and f.is_against_budget)`
/**
 * Histogram bin of a discount. Computed in numeric, because a discount of exactly 10 % must fall into the bin that
 * starts there.
 */
export const DISCOUNT_BIN_SQL = sql`greatest(0, least(${LAST_DISCOUNT_BIN}::int,
  floor((f.discount_base_satang - f.value_satang)::numeric * ${DISCOUNT_BINS_PER_UNIT}::int / f.discount_base_satang)::int + ${DISCOUNT_BINS_BELOW_ZERO}::int))`

/** SQL condition: the project is decided and its bidders are known (D21). */
const IS_KNOWN_BID = sql`(f.coverage > 0 and f.is_decided)`

const numberOf = (kind: string, value: string) =>
  sql`(select v.id from match_values v where v.kind = ${kind}::text and v.value = ${value}::text)`

/**
 * Condition: a contract of this company was terminated early. A contract belongs to it by tax id; if the contract has
 * no company tax id, by one of the company's names, or when no other company won the project.
 */
const IS_TERMINATED = sql`(f.is_winner and exists (
  select from contracts c join companies o on o.id = f.company_id
  where c.project_id = f.project_id and c.status = ${TERMINATED_CONTRACT_STATUS}::text
    and case when c.winner_tin ~ '^[0D][0-9]{12}$' and c.winner_tin !~ '^0+$' then c.winner_tin = o.tax_id
      else exists (select from company_names n where n.company_id = f.company_id and n.name = c.winner_name)
        or not exists (select from company_projects x where x.project_id = f.project_id and x.is_winner and x.company_id <> f.company_id) end))`

/** Returns an SQL condition on fact `f` that selects the rows behind a figure. `today` is the ISO date in Bangkok. */
export function companyFigureRowCondition(rows: CompanyFigureRowFilter, today: string): Sql {
  switch (rows.kind) {
    case 'all':
      return sql`true`
    case 'wins':
      return sql`f.is_winner`
    case 'bids':
      return IS_KNOWN_BID
    case 'bids_won':
      return sql`(f.coverage > 0 and f.is_winner)`
    case 'lost':
      return sql`(${IS_KNOWN_BID} and not f.is_winner)`
    case 'year':
      return sql`f.is_winner and f.fiscal_year is not distinct from ${rows.year}::int`
    case 'department':
      return sql`f.is_winner and f.department = ${rows.value}::text`
    case 'other_departments':
      return sql`f.is_winner and f.department in (
        select ranked.department from (${DEPARTMENT_RANKS_SQL}) ranked where ranked.place > ${MAX_NAMED_DEPARTMENTS}::int)`
    case 'method':
      return sql`f.is_winner and f.method = ${numberOf('method', rows.value)}`
    case 'type':
      return sql`f.is_winner and f.method_type = ${numberOf('method_type', rows.value)}`
    case 'criteria':
      return sql`f.is_winner and f.criteria = ${numberOf('criteria', rows.value)}`
    case 'province':
      return sql`f.is_winner and f.project_province is not distinct from ${rows.code}::int`
    case 'discount':
      return sql`case when ${HAS_REFERENCE_DISCOUNT_SQL} then ${DISCOUNT_BIN_SQL} = ${rows.bin}::int else false end`
    case 'against_budget':
      return IS_AGAINST_BUDGET
    case 'size':
      return sql`(${HAS_REFERENCE_DISCOUNT_SQL} and ${isOfSize(rows)})`
    case 'active':
      return sql`(f.is_winner and ${today}::date <= any (f.open_until))`
    case 'terminated':
      return IS_TERMINATED
    case 'with':
      return metWith(rows)
  }
}

const satang = (baht: number) => sql`${Math.round(baht * 100)}::bigint`
const isOfSize = ({ from, to }: { readonly from: number | null; readonly to: number | null }) =>
  sql`(${from === null ? sql`true` : sql`f.discount_base_satang >= ${satang(from)}`}
    and ${to === null ? sql`true` : sql`f.discount_base_satang < ${satang(to)}`})`

export const COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL = {
  met: sql`true`,
  we_won: sql`f.is_winner`,
  they_won: sql`o.is_winner`,
  others_won: sql`(f.is_decided and not f.is_winner and not o.is_winner)`,
} as const

const metWith = ({ companyId, result }: Extract<CompanyFigureRowFilter, { kind: 'with' }>) => sql`
  (f.coverage > 0 and exists (
    select from company_projects o
    where o.project_id = f.project_id and o.company_id = ${companyId}::int and o.coverage > 0 and ${COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL[result]}
  ))`
