import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

const named = (kind: string, column: string) =>
  `(select v.value from match_values v where v.kind = '${kind}' and v.id = ${column})`
const department = (column: string) =>
  `(select concat_ws('|', d.name, d.sub_name, d.province::text) from departments d where d.id = ${column})`
const company = (column: string) => `(select c.key from companies c where c.id = ${column})`
const but = (...columns: string[]) => columns.map((column) => `- '${column}'`).join(' ')

/**
 * Query for each table that a load fills: returns every row as one text, without values that depend on the write order.
 */
const ROWS: Readonly<Record<string, string>> = {
  projects: `select concat_ws('|', ${department('t.department_id')}, to_jsonb(t) ${but('department_id')}) as line from projects t`,
  contracts: 'select to_jsonb(t)::text as line from contracts t',
  bidders: 'select to_jsonb(t)::text as line from bidders t',
  attachments: 'select to_jsonb(t)::text as line from attachments t',
  announcements: 'select to_jsonb(t)::text as line from announcements t',
  project_changes: 'select to_jsonb(t)::text as line from project_changes t',
  project_matches: "select concat_ws('|', t.organisation_id, t.project_id) as line from project_matches t",
  project_traits: `select concat_ws('|', to_jsonb(t) ${but('tokens')}, array_length(t.tokens, 1)) as line from project_traits t`,
  companies: `select to_jsonb(t) ${but('id', 'is_stale')} || '{}' as line from companies t`,
  company_names: `select concat_ws('|', ${company('t.company_id')}, t.name, t.name_key, t.uses) as line from company_names t`,
  company_projects: `select concat_ws('|', ${company('t.company_id')}, (select n.name from company_names n where n.id = t.name_id), ${department('t.department_id')},
    ${named('method', 't.method')}, ${named('method_type', 't.method_type')}, ${named('criteria', 't.criteria')},
    to_jsonb(t) ${but('company_id', 'name_id', 'department_id', 'method', 'method_type', 'criteria')}) as line from company_projects t`,
  company_figures: `select concat_ws('|', ${company('t.company_id')}, ${named('method', 't.top_method')}, to_jsonb(t) ${but('company_id', 'top_method')}) as line from company_figures t`,
  company_slices: `select concat_ws('|', ${company('t.company_id')}, ${named('method', 't.method')}, ${named('method_type', 't.method_type')},
    to_jsonb(t) ${but('company_id', 'method', 'method_type')}) as line from company_slices t`,
  project_spending: `select concat_ws('|', ${department('t.department_id')}, ${named('method', 't.method')}, ${named('method_type', 't.method_type')},
    to_jsonb(t) ${but('department_id', 'method', 'method_type')}) as line from project_spending t`,
  department_spending: `select concat_ws('|', ${department('t.department_id')}, ${named('method', 't.method')}, ${named('method_type', 't.method_type')},
    to_jsonb(t) ${but('department_id', 'method', 'method_type')}) as line from department_spending t`,
}

/**
 * Returns a checksum of each table that a load fills: the row count and the sum of the row hashes, so row order does
 * not matter.
 */
export async function computeContentSums(db: Db): Promise<Map<string, string>> {
  const sums = new Map<string, string>()
  for (const [table, rows] of Object.entries(ROWS)) {
    const [row] = await db.query<{ sum: string }>(
      sql([
        `select concat(count(*), ' rows ', coalesce(sum(hashtextextended(x.line::text, 0)::numeric), 0)) as sum from (${rows}) x`,
      ]),
      { timeoutMs: 0 },
    )
    sums.set(table, row!.sum)
  }
  return sums
}
