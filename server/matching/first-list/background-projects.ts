import sql from 'sql-template-tag'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { computeSampledHundredths, countTitlesByMovementDate } from '#server/matching/keyword-impact/queries.ts'
import { createPublishedDataCache } from '#server/matching/published-data-cache.ts'
import {
  findNewestMovementDate,
  type KeywordImpactDepartmentRow,
  loadKeywordImpactDepartments,
} from '#server/matching/queries/impact.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { BackgroundProjects } from './learn-first-list.ts'

/** Enough to estimate projects a day even within one province; 30,000 take 25 MB and a second to load. */
const MAX_PROJECTS = 30_000
const DAYS = 365
/** A year of titles hardly changes with one night's load. */
const CACHE_TTL_MS = 60 * 60_000
const BATCH_SIZE = 5_000
/** Project ids read per statement: 50 to 100 ms, during which the embedded database blocks all other queries. */
const IDS_PER_STATEMENT = 100_000

export type BackgroundProjectsCache = () => Promise<BackgroundProjects>

export function createBackgroundProjectsCache(
  db: Db,
  now: () => Date,
  maxProjects = MAX_PROJECTS,
): BackgroundProjectsCache {
  return createPublishedDataCache(db, {
    now,
    ttlMs: CACHE_TTL_MS,
    read: () => loadBackground(db, getBangkokToday(now()), maxProjects),
  })
}

async function loadBackground(db: Db, today: string, maxProjects: number): Promise<BackgroundProjects> {
  const to = await findNewestMovementDate(db, today)
  if (to === undefined) return { projects: [], perDay: 0 }
  const from = addDays(to, 1 - DAYS)
  const count = await countTitlesByMovementDate(db, { from, to })
  const hundredths = computeSampledHundredths(count, maxProjects)
  const departments = new Map<number, KeywordImpactDepartmentRow>()
  const projects: ProjectToMatch[] = []
  const timeSlice = new TimeSlicer()
  const ids = await loadSampleIds(db, hundredths)
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const rows = await loadSampledProjects(db, ids.slice(at, at + BATCH_SIZE), { from, to })
    const missing = rows.map(({ department_id }) => department_id).filter((id) => !departments.has(id))
    for (const department of await loadKeywordImpactDepartments(db, [...new Set(missing)]))
      departments.set(department.id, department)
    for (const { department_id, ...row } of rows) {
      const { name, sub_name, province } = departments.get(department_id)!
      projects.push({
        ...row,
        name_search: removeSpacesNextToThai(row.name_spaced),
        dept_name: name,
        dept_sub_name: sub_name,
        dept_province: province,
      })
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  const days = Math.max(1, countWorkingDays(from, to))
  return { projects, perDay: count / Math.max(1, projects.length) / days }
}

/**
 * Returns the ids of a sample by the last two digits of the project number. Reads only the primary key, which takes a
 * second for 1.39 million projects; the same filter on the table takes five.
 */
async function loadSampleIds(db: Db, hundredths: number): Promise<string[]> {
  const isSampled =
    hundredths < 100 ? sql`right(p.project_id, 2) < ${String(hundredths).padStart(2, '0')}::text` : sql`true`
  const pages: string[][] = []
  let after = ''
  for (;;) {
    const [page] = await db.query<{ last: string | null; ids: string[] }>(sql`
      select max(p.project_id) as last, coalesce(array_agg(p.project_id order by p.project_id) filter (where ${isSampled}), '{}') as ids
      from (select x.project_id from projects x where x.project_id > ${after}::text order by x.project_id limit ${IDS_PER_STATEMENT}::int) p`)
    const { last, ids } = page!
    if (last === null) return pages.flat()
    pages.push(ids)
    after = last
  }
}

async function loadSampledProjects(
  db: Db,
  ids: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
) {
  return db.query<{
    project_id: string
    name_spaced: string
    department_id: number
    project_province: number | null
    budget_satang: number | null
    movement_on: string
  }>(sql`
    select project_id, name_spaced, department_id, project_province, budget_satang, movement_on
    from projects where project_id = any (${[...ids]}::text[]) and movement_on between ${from}::date and ${to}::date`)
}
