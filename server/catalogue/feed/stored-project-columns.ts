import sql, { join, raw, type Sql } from 'sql-template-tag'
import { toPostgresArrayLiteral } from '#server/platform/engine/postgres-values.ts'
import type { ContractRow, ProjectRow } from './project-row.ts'

export type StoredProjectRow = Omit<ProjectRow, 'dept_name' | 'dept_sub_name' | 'dept_province'> & {
  readonly department_id: number
}

type Columns<Row> = { readonly [name in keyof Row]: string }

export const PROJECT_COLUMNS: Columns<StoredProjectRow> = {
  project_id: 'text',
  name: 'text',
  name_search: 'text',
  name_spaced: 'text',
  department_id: 'int',
  project_province: 'smallint',
  district: 'text',
  subdistrict: 'text',
  latitude: 'double precision',
  longitude: 'double precision',
  fiscal_year: 'smallint',
  status: 'text',
  movement: 'text',
  movement_on: 'date',
  is_movement_undated: 'boolean',
  criteria: 'text',
  method: 'text',
  method_type: 'text',
  budget_satang: 'bigint',
  estimate_satang: 'bigint',
  winner_satang: 'bigint',
  winner_name: 'text',
  winner_count: 'smallint',
  other_winners: 'text',
  draft_published_on: 'date',
  draft_discussion_ends_on: 'date',
  bidding_invited_on: 'date',
  submission_ends_on: 'date',
  submission_time: 'text',
  winner_announced_on: 'date',
  contract_signed_on: 'date',
  remark: 'text',
  is_sme: 'boolean',
  is_archived: 'boolean',
}

export const CONTRACT_COLUMNS: Columns<ContractRow> = {
  project_id: 'text',
  contract_no: 'text',
  winner_tin: 'text',
  winner_name: 'text',
  amount_satang: 'bigint',
  signed_on: 'date',
  ends_on: 'date',
  status: 'text',
}

export function columnNamesSql<Row>(columns: Columns<Row>): Sql {
  return raw(Object.keys(columns).join(', '))
}

export function columnAssignmentsSql<Row>(columns: Columns<Row>, from: 't' | 'excluded'): Sql {
  return raw(
    Object.keys(columns)
      .map((name) => `${name} = ${from}.${name}`)
      .join(', '),
  )
}

/**
 * Returns the rows as a table `t` via `unnest`, one array parameter per column. PostgreSQL takes 28 µs per project this
 * way, 42 µs from JSON and 55 µs from jsonb (CPU time, 32 columns). The array literals are built here, not when the
 * statement is sent.
 */
export function rowsToTableSql<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): Sql {
  const entries = Object.entries(columns) as [keyof Row & string, string][]
  const arrays = entries.map(
    ([name, type]) => sql`${toPostgresArrayLiteral(rows.map((row) => row[name]))}${raw(`::${type}[]`)}`,
  )
  return sql`unnest(${join(arrays)}) as t (${columnNamesSql(columns)})`
}
