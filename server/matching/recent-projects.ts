import { KEYWORD_IMPACT_DAYS } from '#contract/matching/keyword-impact.ts'
import { addDays, countDaysBetween, getBangkokToday } from '#contract/thai/thai-date.ts'
import { removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { memoizePerDatabaseSchema, runInCallerSchema } from '#server/platform/engine/tenant.ts'
import type { ProjectToMatch } from './compile-match-rules.ts'
import { createLatestDataLoadPredicate } from './latest-loads.ts'
import {
  findLatestPublishedDataLoad,
  findNewestMovementDate,
  type KeywordImpactDepartmentRow,
  loadKeywordImpactDepartments,
  loadProjectsByMovementDate,
} from './queries/impact.ts'
import { TimeSlicer } from './time-slicer.ts'

/**
 * Maximum cached projects: twice what e-GP publishes in 30 days, about 120 MB. Beyond that, the cache covers fewer
 * days.
 */
const MAX_PROJECTS = 250_000
/**
 * Minimum time between reloads of the projects of 30 days, because the loads of a nightly run arrive every half minute.
 */
const MIN_RELOAD_INTERVAL_MS = 10 * 60_000
/** Projects per statement. 2,000 are 1 MB and take 10 ms to parse. */
const BATCH_SIZE = 2_000

/**
 * Encodes the positions of blanks as a string. The code of each character is a distance in the compact text; V8 stores
 * such characters in one byte each.
 */
function encodeBlanks(compact: string, spaced: string): string | undefined {
  let [blanks, at, last] = ['', 0, 0]
  for (let from = 0; from < spaced.length; from += 1) {
    if (spaced[from] === compact[at]) at += 1
    else if (spaced[from] === ' ') {
      blanks += String.fromCharCode(at - last)
      last = at
    } else return undefined
  }
  return at === compact.length ? blanks : undefined
}

function restoreBlanks(compact: string, blanks: string): string {
  let [spaced, at] = ['', 0]
  for (let i = 0; i < blanks.length; i += 1) {
    const next = at + blanks.charCodeAt(i)
    spaced += `${compact.slice(at, next)} `
    at = next
  }
  return spaced + compact.slice(at)
}

/**
 * A project for matching. Takes only 500 bytes, because departments are shared and the spaced form is rebuilt on
 * demand.
 */
export class RecentProject implements ProjectToMatch {
  readonly project_id: string
  readonly name_search: string
  readonly department: KeywordImpactDepartmentRow
  readonly project_province: number | null
  readonly budget_satang: number | null
  readonly movement_on: string
  readonly first_load: number
  readonly #blanks: string | undefined
  readonly #spaced: string | undefined

  constructor(
    row: Omit<MovedRow, 'department_id' | 'name_spaced'>,
    spaced: string,
    department: KeywordImpactDepartmentRow,
  ) {
    this.project_id = row.project_id
    this.name_search = removeSpacesNextToThai(spaced)
    this.department = department
    this.project_province = row.project_province
    this.budget_satang = row.budget_satang
    this.movement_on = row.movement_on
    this.first_load = row.first_load
    this.#blanks = encodeBlanks(this.name_search, spaced)
    this.#spaced = this.#blanks === undefined ? spaced : undefined
  }

  get name_spaced(): string {
    return this.#spaced ?? restoreBlanks(this.name_search, this.#blanks ?? '')
  }
  get dept_name(): string {
    return this.department.name
  }
  get dept_sub_name(): string {
    return this.department.sub_name
  }
  get dept_province(): number | null {
    return this.department.province
  }
}
type MovedRow = Awaited<ReturnType<typeof loadProjectsByMovementDate>>[number]

export type RecentProjects = {
  readonly load: number | undefined
  readonly isLatest: (load: number) => boolean
  /** Publication time of the load, UTC ISO. */
  readonly dataTime: string | null
  readonly from: string
  readonly to: string
  readonly days: number
  readonly projects: readonly RecentProject[]
}

export type RecentProjectsCache = () => Promise<RecentProjects>

export function createRecentProjectsCache(db: Db, now: () => Date, maxProjects = MAX_PROJECTS): RecentProjectsCache {
  const recent = memoizePerDatabaseSchema(() => createRecentCache(db, now, maxProjects))
  return () => recent()()
}

function createRecentCache(db: Db, now: () => Date, maxProjects: number): RecentProjectsCache {
  let cached: RecentProjects | undefined
  let readAt = 0
  let night: string | null = null
  let reading: Promise<RecentProjects> | undefined
  return async () => {
    const load = await findLatestPublishedDataLoad(db)
    if (cached && cached.load === load?.id) return cached
    const age = now().getTime() - readAt
    if (cached && night !== null && load?.night === night && age >= 0 && age < MIN_RELOAD_INTERVAL_MS) return cached
    // Concurrent callers share one load. Release the old projects first: old and new together take 200 MB.
    cached = undefined
    reading ??= runInCallerSchema(() => loadRecent(db, getBangkokToday(now()), maxProjects))
      .then((loaded) => {
        cached = loaded
        night = load?.night ?? null
        readAt = now().getTime()
        return loaded
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}

async function loadRecent(db: Db, today: string, maxProjects: number): Promise<RecentProjects> {
  // Query the latest load first, so that a load published while projects are being read counts as newer.
  const load = await findLatestPublishedDataLoad(db)
  const to = (await findNewestMovementDate(db, today)) ?? today
  const earliest = addDays(to, 1 - KEYWORD_IMPACT_DAYS)
  const departments = new Map<number, KeywordImpactDepartmentRow>()
  const byId = new Map<string, RecentProject>()
  const dates = new Map<string, string>()
  const timeSlice = new TimeSlicer()
  let after: { movement_on: string; project_id: string } | undefined
  while (byId.size < maxProjects) {
    const rows = await loadProjectsByMovementDate(db, { from: earliest, to, after, limit: BATCH_SIZE })
    if (rows.length === 0) break
    const missing = rows.map((row) => row.department_id).filter((id) => !departments.has(id))
    for (const department of await loadKeywordImpactDepartments(db, [...new Set(missing)]))
      departments.set(department.id, department)
    for (const row of rows) {
      const movement_on = dates.get(row.movement_on) ?? row.movement_on
      dates.set(movement_on, movement_on)
      byId.set(
        row.project_id,
        new RecentProject({ ...row, movement_on }, row.name_spaced, departments.get(row.department_id)!),
      )
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
    after = rows.at(-1)
  }
  const projects = [...byId.values()]
  // If the limit was reached, the oldest day may be incomplete, so drop that day.
  const from = projects.length < maxProjects ? earliest : addDays(projects.at(-1)!.movement_on, 1)
  return {
    load: load?.id,
    isLatest: createLatestDataLoadPredicate(load?.latest ?? null),
    dataTime: load?.published_at ?? null,
    from,
    to,
    days: countDaysBetween(from, to) + 1,
    projects: from === earliest ? projects : projects.filter((project) => project.movement_on >= from),
  }
}
