import sql, { empty, type Sql } from 'sql-template-tag'

/** Condition for an inclusive range; null means no bound. False if the column is null. */
export const betweenSql = (column: Sql, from: Sql | null, to: Sql | null) =>
  sql`(${column} is not null${from ? sql` and ${column} >= ${from}` : empty}${to ? sql` and ${column} <= ${to}` : empty})`
