import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatBangkokTime, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import type { ReportIdList } from '#server/report/report-queries.ts'
import { findReportMailProjects, type ReportMailProject } from './mail-content-queries.ts'
import type { ReaderScope, ReportMailQueries } from './report-mail-rows.ts'

/**
 * New projects that are listed, more than an email shows or links to. The others are only counted: a first import makes
 * every match of an organisation new, up to 650,000.
 */
const MAX_LISTED_NEW_PROJECTS = 2_000

const NO_DEADLINE = { due: null, closes_on: null, closes_at: null } as const

/**
 * Mail candidates, shared by the users of one organisation within a round of emails. Caches only the latest query, to
 * limit memory.
 */
export type ReportMailProjectCache = { key?: string; candidates?: readonly ReportMailProject[] }

export type ReportTabCounts = { readonly active: number; readonly archived: number }

type ReportMailMatches = {
  /** Projects that at least one search finds: nearest deadline first, then newest movement. */
  readonly projects: readonly ReportMailProject[]
  /** The ids of `projects` per search, and the number of new projects that are not listed. */
  readonly bySearch: readonly { readonly ids: readonly string[]; readonly unlisted: ReportTabCounts }[]
  readonly unlisted: ReportTabCounts
}

type MatchOptions = {
  readonly searches: readonly ReportSearch[]
  readonly scope: ReaderScope
  readonly loadIds: readonly number[]
  readonly now: Date
  readonly cache?: ReportMailProjectCache
  readonly maxListedNew?: number | undefined
}

export async function findReportMailMatches(
  db: Db,
  reader: Pick<ReportMailQueries, 'reportsOf'>,
  { searches, scope, loadIds, now, cache = {}, maxListedNew = MAX_LISTED_NEW_PROJECTS }: MatchOptions,
): Promise<ReportMailMatches> {
  const reports = reader.reportsOf(db)
  const announced = await reports.ids(searches, scope, { limit: maxListedNew, announcedIn: loadIds })
  const announcedLists = [...announced.lists, announced.together!]
  const announcedIds = [...new Set(announcedLists.flatMap(({ ids }) => ids))].sort()
  const options = { loadIds, announcedIds, today: scope.today, now }
  const candidates = await loadCandidates(db, scope.organisationId, options, cache)
  const candidateIds = candidates.map(({ id }) => id)
  const idsBySearch = await findProjectsPassingSearches(reports, searches, scope, candidateIds)
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const countUnlisted = ({ total, archived }: ReportIdList, ids: Iterable<string>): ReportTabCounts => {
    const listed = { active: 0, archived: 0 }
    for (const id of ids) {
      const { is_new, is_archived } = byId.get(id)!
      if (is_new) listed[is_archived ? 'archived' : 'active'] += 1
    }
    return {
      active: Math.max(0, total - archived - listed.active),
      archived: Math.max(0, archived - listed.archived),
    }
  }
  const foundIds = new Set(idsBySearch.flat())
  return {
    projects: candidates
      .filter(({ id }) => foundIds.has(id))
      .map((candidate) => (hasClosed(candidate, now) ? { ...candidate, ...NO_DEADLINE } : candidate)),
    bySearch: idsBySearch.map((ids, i) => ({ ids, unlisted: countUnlisted(announced.lists[i]!, ids) })),
    unlisted: countUnlisted(announced.together!, foundIds),
  }
}

async function loadCandidates(
  db: Db,
  organisationId: number,
  options: Parameters<typeof findReportMailProjects>[2],
  cache: ReportMailProjectCache,
): Promise<readonly ReportMailProject[]> {
  const key = [organisationId, options.today, options.loadIds, options.announcedIds].join()
  if (cache.key !== key || !cache.candidates) {
    cache.candidates = await findReportMailProjects(db, organisationId, options)
    cache.key = key
  }
  return cache.candidates
}

function hasClosed({ closes_on, closes_at }: ReportMailProject, now: Date): boolean {
  const end = /(\d{1,2})[:.](\d{2})\s*(?:น\.)?$/.exec(closes_at ?? '')
  if (closes_on !== getBangkokToday(now) || !end) return false
  return `${end[1]!.padStart(2, '0')}:${end[2]}` <= formatBangkokTime(now).slice(-5)
}
