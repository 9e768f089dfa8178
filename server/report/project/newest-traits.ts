import sql, { type Sql } from 'sql-template-tag'

/**
 * Selects the newest `limit` traits (`t`) that match a condition on tokens, by project number. The CTE is an
 * optimisation fence: with `order by … limit` next to the condition, PostgreSQL walks the primary key backwards and
 * discards 1.4 million rows for a unit with few purchases (1.8 s); the GIN index takes 2 ms.
 */
export const newestProjectTraitsSql = (condition: Sql, limit: number): Sql => sql`
  with matching as materialized (select t.project_id, t.tokens from project_traits t where ${condition})
  select project_id, tokens from matching order by project_id desc limit ${limit}::int`
