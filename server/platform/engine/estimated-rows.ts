import sql, { type Sql } from 'sql-template-tag'

/** The planner's estimate of how many rows a table of ours has, its partitions' together; 0 where nobody has counted yet. A number. */
export const estimatedRows = (table: string): Sql => sql`(
  select coalesce(sum(greatest(c.reltuples, 0)), 0)::int8 from pg_class c
  where c.relkind = 'r' and (c.oid = ${table}::text::regclass or c.oid in (select i.inhrelid from pg_inherits i where i.inhparent = ${table}::text::regclass)))`
