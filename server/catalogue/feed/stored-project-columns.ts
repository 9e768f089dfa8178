import sql, { join, raw, type Sql } from 'sql-template-tag'
import { getProjectFact, PROJECT_FACT_NAMES, type ProjectFactType } from '#contract/catalogue/project-facts.ts'
import { toPostgresArrayLiteral } from '#server/platform/engine/postgres-values.ts'
import type { ContractRow, ProjectRow } from './project-row.ts'

export type StoredProjectRow = Omit<ProjectRow, 'dept_name' | 'dept_sub_name' | 'dept_province'> & {
  readonly department_id: number
}

type Columns<Row> = { readonly [name in keyof Row]: string }

const COLUMN_TYPES: Readonly<Record<ProjectFactType, string>> = {
  text: 'text',
  enumeration: 'text',
  money: 'bigint',
  day: 'date',
  time: 'text',
  province: 'smallint',
  region: 'smallint',
  number: 'smallint',
  flag: 'boolean',
  coordinate: 'double precision',
}
const FACTS = PROJECT_FACT_NAMES.map(getProjectFact)
const FACT_COLUMNS = Object.fromEntries(
  FACTS.flatMap(({ column, type, departmentColumn }) => (departmentColumn ? [] : [[column, COLUMN_TYPES[type]]])),
)

export const PROJECT_COLUMNS = {
  project_id: 'text',
  name_search: 'text',
  name_spaced: 'text',
  department_id: 'int',
  is_movement_undated: 'boolean',
  other_winners: 'text',
  ...FACT_COLUMNS,
} as Columns<StoredProjectRow>

/** Selects a `ProjectRow` of `projects p` and `departments d`. */
export const PROJECT_ROW_COLUMNS_SQL: Sql = raw(
  [
    ...Object.keys(PROJECT_COLUMNS).flatMap((column) => (column === 'department_id' ? [] : [`p.${column}`])),
    ...new Set(
      FACTS.flatMap(({ column, departmentColumn }) => (departmentColumn ? [`d.${departmentColumn} as ${column}`] : [])),
    ),
  ].join(', '),
)

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
