import sql, { type Sql } from 'sql-template-tag'

/** True if the import left out the reference price of the `project_doubts` row `u` (`isDoubtfulEstimate`). */
export const HAS_DOUBTFUL_ESTIMATE_SQL = sql`u.doubts @? '$[*] ? (@.kind starts with "amount_" && @.field starts with "ราคากลาง")'`

/**
 * SQL condition: the budget (or price) of `row` is unknown because an import left it out as doubtful. An amount that
 * another source stated since is not in doubt. The partial indexes keep the hashed subquery to a few hundred rows of a
 * fiscal year.
 */
export const isBudgetInDoubtSql = (row: Sql): Sql =>
  sql`(${row}.budget_satang is null and ${row}.project_id in (select u.project_id from project_doubts u where u.has_doubtful_budget))`
export const isPriceInDoubtSql = (row: Sql, price: Sql): Sql =>
  sql`(${price} is null and ${row}.project_id in (select u.project_id from project_doubts u where u.has_doubtful_price))`
