import { getBudgetSliderMaxima } from '#contract/account/organisation.ts'
import type { FacetOption, ReportFacets } from '#contract/report/report.ts'
import { NO_LABEL_VALUE, NOT_PURSUED_VALUE, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { countFacets, type FacetCounts } from './count-facets.ts'
import {
  loadPackedFacetRows,
  loadPersonalFacetCounts,
  loadProjectMatchValues,
  type PersonalFacetCounts,
} from './facet-queries.ts'
import { loadFilterToRelax } from './load-filter-to-relax.ts'
import type { ReportCache } from './memory/report-cache.ts'
import {
  getReportFacetsFromMemory,
  getReportPageFromMemory,
  type ReportPageResult,
} from './memory/report-from-memory.ts'
import type { ReportSnapshotScope } from './memory/report-snapshot.ts'
import { isReportTabEmpty } from './present-report-page.ts'
import { loadReportPage, type ReportScope } from './queries.ts'
import type { ReportRowFileDetail } from './report-rows-sql.ts'
import { resolveReportSearchScope } from './with-resolved-searches.ts'

/**
 * Source that answers report queries: memory if it has the database's current snapshot, otherwise SQL, with the same
 * result.
 */
export type ReportQuerySource = { readonly db: Db; readonly memory?: ReportCache | undefined }

export async function findReportPage(
  { db, memory }: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
  files: ReportRowFileDetail = 'listed',
): Promise<ReportPageResult> {
  const remembered = memory && (await getReportPageFromMemory(db, memory, search, scope, files))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  if (remembered) return remembered
  const stored = await loadReportPage(db, search, scope, files)
  const isRelaxed = stored.total === 0 && !isReportTabEmpty(stored)
  return { stored, filterToRelax: isRelaxed ? await loadFilterToRelax(db, search, scope) : undefined }
}

export async function findReportFacets(
  { db, memory }: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
): Promise<ReportFacets> {
  const remembered = memory && (await getReportFacetsFromMemory(memory, search, scope))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  if (remembered) return presentFacets(remembered.counts, remembered.personal)
  return await loadReportFacets(db, search, scope)
}

export async function loadReportFacets(db: Db, search: ReportSearch, requestScope: ReportScope): Promise<ReportFacets> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const [packed, personal] = await Promise.all([
    loadPackedFacetRows(db, search, scope),
    loadPersonalFacetCounts(db, search, scope),
  ])
  // Load the values after the rows, so that every value id in a row can be resolved.
  return presentFacets(countFacets(packed, await loadProjectMatchValues(db), scope.today), personal)
}

const nonEmpty = (options: FacetOption[]) => options.filter((option) => option.count > 0)

/**
 * Appends the option for projects that the team is not pursuing, counted as `total` minus all other options. That is
 * correct because a project has at most one stage and one owner.
 */
const withOthers = (options: readonly FacetOption[], total: number) => {
  const notPursued = options.reduce((remaining, { count }) => remaining - count, total)
  return nonEmpty([...options, { value: NOT_PURSUED_VALUE, count: notPursued }])
}

function presentFacets(counts: FacetCounts, personal: PersonalFacetCounts): ReportFacets {
  const ceilings = getBudgetSliderMaxima(personal.max_budget ?? '0')
  const money = (name: keyof typeof counts.bins, max: number) => ({ max, bins: counts.bins[name] })
  return {
    options: {
      ...counts.lists,
      check_sme: nonEmpty([{ value: 'true', count: counts.sme }]),
      project_bookmark: nonEmpty([{ value: 'true', count: personal.bookmarked }]),
      project_hidden: nonEmpty([{ value: 'true', count: personal.hidden }]),
      project_label__in: nonEmpty([
        ...personal.labels,
        { value: NO_LABEL_VALUE, count: counts.passingBut.project_label__in - personal.labelled },
      ]),
      team_label__in: nonEmpty([
        ...personal.teamLabels,
        { value: NO_LABEL_VALUE, count: counts.passingBut.team_label__in - personal.teamLabelled },
      ]),
      pursuit_stage__in: withOthers(personal.stages, counts.passingBut.pursuit_stage__in),
      pursuit_owner__in: withOthers(personal.owners, counts.passingBut.pursuit_owner__in),
      ends_within: nonEmpty(personal.ending),
      pursuit_has_notes: nonEmpty([{ value: 'true', count: personal.noted }]),
    },
    money: {
      project_budget__range: money('project_budget__range', ceilings.budget),
      project_estimate_budget__range: money('project_estimate_budget__range', ceilings.otherBudgets),
      project_winner_budget__range: money('project_winner_budget__range', ceilings.otherBudgets),
    },
    dates: counts.dates,
    due: counts.due,
  }
}
