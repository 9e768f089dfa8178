import sql, { type Sql } from 'sql-template-tag'
import type { MarkCounts } from '#server/report/report-queries.ts'

export const countTrueMarksSql = (marks: Sql) =>
  sql`(select json_build_object('options', json_build_array(json_build_object('value', 'true', 'count', count(*)))) from ${marks})`

export const toTrueMarkCounts = (count: number): MarkCounts => ({ options: [{ value: 'true', count }] })

/** Selects `MarkCounts` of `marks`, a query of `value` and `project_id`. A project may have several values. */
export const countMarkedValuesSql = (marks: Sql) => sql`(
    with marks as materialized (${marks})
    select json_build_object(
      'marked', (select count(distinct project_id) from marks),
      'options', coalesce((select json_agg(l) from (select value, count(*) from marks group by 1) l), '[]')
    ))`
