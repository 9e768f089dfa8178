import sql, { empty } from 'sql-template-tag'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { countTitlesByMovementDate } from '#server/matching/keyword-impact/queries.ts'
import {
  findLatestPublishedDataLoad,
  findNewestMovementDate,
  type KeywordImpactDepartmentRow,
  loadKeywordImpactDepartments,
} from '#server/matching/queries/impact.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { memoizePerDatabaseSchema, runInCallerSchema } from '#server/platform/engine/tenant.ts'
import type { BackgroundProjects } from './learn-first-list.ts'

/** Enough to tell projects a day apart in a single province; 30,000 take 25 MB and a second to load. */
const MAX_PROJECTS = 30_000
const DAYS = 365
/** A year of titles hardly changes with one night's load. */
const CACHE_TTL_MS = 60 * 60_000
const BATCH_SIZE = 5_000

export type BackgroundProjectsCache = () => Promise<BackgroundProjects>

/** Caches a sample of the projects of the last year, shared by all organisations of a database. */
export function createBackgroundProjectsCache(
  db: Db,
  now: () => Date,
  maxProjects = MAX_PROJECTS,
): BackgroundProjectsCache {
  const cache = memoizePerDatabaseSchema(() => createCache(db, now, maxProjects))
  return () => cache()()
}

function createCache(db: Db, now: () => Date, maxProjects: number): BackgroundProjectsCache {
  let cached: { load: number | undefined; readAt: number; background: BackgroundProjects } | undefined
  let reading: Promise<BackgroundProjects> | undefined
  return async () => {
    const age = cached ? now().getTime() - cached.readAt : -1
    if (cached && age >= 0 && age < CACHE_TTL_MS) return cached.background
    const load = (await findLatestPublishedDataLoad(db))?.id
    if (cached && cached.load === load) {
      cached.readAt = now().getTime()
      return cached.background
    }
    reading ??= runInCallerSchema(() => loadBackground(db, getBangkokToday(now()), maxProjects))
      .then((background) => {
        cached = { load, readAt: now().getTime(), background }
        return background
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}

async function loadBackground(db: Db, today: string, maxProjects: number): Promise<BackgroundProjects> {
  const to = await findNewestMovementDate(db, today)
  if (to === undefined) return { projects: [], perDay: 0 }
  const from = addDays(to, 1 - DAYS)
  const count = await countTitlesByMovementDate(db, { from, to })
  const hundredths = Math.max(1, Math.min(100, Math.floor((100 * maxProjects) / Math.max(1, count))))
  const departments = new Map<number, KeywordImpactDepartmentRow>()
  const projects: ProjectToMatch[] = []
  const timeSlice = new TimeSlicer()
  let after: SampledRow | undefined
  let oldest = to
  while (projects.length < maxProjects) {
    const limit = Math.min(BATCH_SIZE, maxProjects - projects.length)
    const rows = await loadSample(db, { from, to, hundredths, after, limit })
    if (rows.length === 0) break
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
    after = rows.at(-1)
    oldest = after!.movement_on
  }
  const total = projects.length < maxProjects ? count : projects.length * (100 / hundredths)
  return {
    projects,
    perDay: total / Math.max(1, projects.length) / Math.max(1, countWorkingDays(oldest, to)),
  }
}

type SampledRow = {
  readonly project_id: string
  readonly name_spaced: string
  readonly department_id: number
  readonly project_province: number | null
  readonly budget_satang: number | null
  readonly movement_on: string
}

async function loadSample(
  db: Db,
  {
    from,
    to,
    hundredths,
    after,
    limit,
  }: { from: string; to: string; hundredths: number; after: SampledRow | undefined; limit: number },
) {
  return db.query<SampledRow>(sql`
    select project_id, name_spaced, department_id, project_province, budget_satang, movement_on
    from projects
    where movement_on between ${from}::date and ${to}::date
      ${hundredths < 100 ? sql`and right(project_id, 2) < ${String(hundredths).padStart(2, '0')}::text` : empty}
      ${after ? sql`and (movement_on, project_id) < (${after.movement_on}::date, ${after.project_id}::text)` : empty}
    order by movement_on desc, project_id desc limit ${limit}::int`)
}
