import sql, { empty } from 'sql-template-tag'
import { LATEST_DATA_LOAD_ID_SQL, LATEST_DATA_LOADS_TEXT_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type KeywordImpactDepartmentRow = {
  readonly id: number
  readonly name: string
  readonly sub_name: string
  readonly province: number | null
}

export type LatestPublishedDataLoad = {
  readonly id: number
  readonly published_at: string | null
  /** Date of the evening on which the load's nightly run started; null for a single load outside any nightly run. */
  readonly night: string | null
  readonly latest: string
}

export async function findLatestPublishedDataLoad(db: Db): Promise<LatestPublishedDataLoad | undefined> {
  const [load] = await db.query<LatestPublishedDataLoad>(sql`
    select l.id, l.published_at, l.night, ${LATEST_DATA_LOADS_TEXT_SQL} as latest from loads l where l.id = ${LATEST_DATA_LOAD_ID_SQL}`)
  return load
}

export async function findNewestMovementDate(db: Db, today: string): Promise<string | undefined> {
  const [row] = await db.query<{ newest: string | null }>(sql`
    select max(movement_on) as newest from projects where movement_on <= ${today}::date and not is_movement_undated`)
  return row?.newest ?? undefined
}

type MovementCursor = { readonly movement_on: string; readonly project_id: string }

export async function loadProjectsByMovementDate(
  db: Db,
  { from, to, after, limit }: { from: string; to: string; after: MovementCursor | undefined; limit: number },
) {
  return db.query<{
    project_id: string
    name_spaced: string
    department_id: number
    project_province: number | null
    budget_satang: number | null
    movement_on: string
    first_load: number
  }>(sql`
    select project_id, name_spaced, department_id, project_province, budget_satang, movement_on, first_load
    from projects
    where movement_on between ${from}::date and ${to}::date
      ${after ? sql`and (movement_on, project_id) < (${after.movement_on}::date, ${after.project_id}::text)` : empty}
    order by movement_on desc, project_id desc limit ${limit}::int`)
}

export async function loadKeywordImpactDepartments(
  db: Db,
  ids: readonly number[],
): Promise<KeywordImpactDepartmentRow[]> {
  if (ids.length === 0) return []
  return db.query<KeywordImpactDepartmentRow>(sql`
    select id, name, sub_name, province from departments where id = any (${[...ids]}::int[])`)
}

export async function loadKeywordImpactProjectNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ project_id: string; name: string }>(sql`
    select project_id, name from projects where project_id = any (${[...ids]}::text[])`)
  return new Map(rows.map((row) => [row.project_id, row.name]))
}
