import sql, { type Sql } from 'sql-template-tag'

/**
 * SQL condition: an import left the budget (or price) of the project out as doubtful. Combine it with a test for an
 * unknown amount, because another source may have stated one since. The partial indexes keep the hashed subquery to a
 * few hundred rows of a fiscal year.
 */
export const hasDoubtfulBudgetSql = (projectId: Sql): Sql =>
  sql`${projectId} in (select u.project_id from project_doubts u where u.has_doubtful_budget)`
export const hasDoubtfulPriceSql = (projectId: Sql): Sql =>
  sql`${projectId} in (select u.project_id from project_doubts u where u.has_doubtful_price)`
