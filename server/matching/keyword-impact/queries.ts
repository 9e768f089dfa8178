import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

type Days = { readonly from: string; readonly to: string }
export type DatedProjectTitle = {
  readonly project_id: string
  readonly name_search: string
  readonly movement_on: string
}

export async function countTitlesByMovementDate(db: Db, { from, to }: Days): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from projects where movement_on between ${from}::date and ${to}::date`)
  return row?.count ?? 0
}

/** Returns how many of the hundred endings of project numbers a sample of about `max` of `count` projects takes. */
export const computeSampledHundredths = (count: number, max: number): number =>
  Math.max(1, Math.min(100, Math.floor((100 * max) / Math.max(1, count))))

/**
 * Returns names of projects whose last movement falls in these days, newest first, after the cursor. `hundredths`
 * limits them to a sample by the last two digits of the project number, which are unrelated to the content.
 */
export async function loadTitlesByMovementDate(
  db: Db,
  {
    from,
    to,
    hundredths,
    after,
    limit,
  }: Days & { hundredths: number; after: DatedProjectTitle | undefined; limit: number },
): Promise<DatedProjectTitle[]> {
  const sampleFilter = sql`and right(project_id, 2) < ${String(hundredths).padStart(2, '0')}::text`
  return db.query<DatedProjectTitle>(sql`
    select project_id, name_search, movement_on
    from projects
    where movement_on between ${from}::date and ${to}::date
      ${hundredths < 100 ? sampleFilter : empty}
      ${after ? sql`and (movement_on, project_id) < (${after.movement_on}::date, ${after.project_id}::text)` : empty}
    order by movement_on desc, project_id desc limit ${limit}::int`)
}
