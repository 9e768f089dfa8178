import sql, { type Sql } from 'sql-template-tag'

/** SQL for the planner's row estimate of a table including its partitions; 0 if never analyzed. */
export const estimatedRowsSql = (table: string): Sql => sql`(
  select coalesce(sum(greatest(c.reltuples, 0)), 0)::int8 from pg_class c
  where c.relkind = 'r' and (c.oid = ${table}::text::regclass or c.oid in (select i.inhrelid from pg_inherits i where i.inhparent = ${table}::text::regclass)))`
