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
  const sampleFilter = sql`and right(s.project_id, 2) < ${String(hundredths).padStart(2, '0')}::text`
  // The subquery reads only the index, so the table is read only for the sample.
  return db.query<DatedProjectTitle>(sql`
    select p.project_id, p.name_search, p.movement_on
    from (
      select s.project_id from projects s
      where s.movement_on between ${from}::date and ${to}::date
        ${hundredths < 100 ? sampleFilter : empty}
        ${after ? sql`and (s.movement_on, s.project_id) < (${after.movement_on}::date, ${after.project_id}::text)` : empty}
      order by s.movement_on desc, s.project_id desc limit ${limit}::int
    ) sampled
    join projects p on p.project_id = sampled.project_id
    order by p.movement_on desc, p.project_id desc`)
}
