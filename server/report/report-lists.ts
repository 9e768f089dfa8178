import sql from 'sql-template-tag'
import { getBudgetSliderMaxima } from '#contract/account/organisation.ts'
import { formatAgencyUnit } from '#contract/catalogue/agency-name.ts'
import { createRecord } from '#contract/create-record.ts'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import {
  type AgencyOptions,
  type FacetOption,
  MAX_AGENCY_OPTIONS,
  type ProjectSuggestion,
  type ReportFacets,
  type ReportProjectIds,
} from '#contract/report/report.ts'
import { findReportParam, REPORT_FACET_NAMES, type ReportSearch } from '#contract/report/report-params.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { CountedAgencyUnit } from '#server/catalogue/department/agency-unit.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { REPORT_FILTER_SET } from '#server/report/filter/report-filters.ts'
import { hiddenProjectIdsSql } from './match-sql.ts'
import {
  type CountedValue,
  type ReportEngine,
  type ReportFacetResult,
  type ReportScope,
  toFacetOptions,
} from './report-queries.ts'

/** Returns the first ids of a search in its order, at most `MAX_PROJECTS_PER_ACTION`, and the total. Ignores paging. */
export async function findReportProjectIds(
  reports: ReportEngine,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportProjectIds> {
  const { lists } = await reports.ids([search], scope, { limit: MAX_PROJECTS_PER_ACTION })
  const { ids, total } = lists[0]!
  return { ids: [...ids], total }
}

/** Lists for each search those of these projects that it finds, in the given order. */
export async function findProjectsPassingSearches(
  reports: ReportEngine,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<(readonly string[])[]> {
  const { lists } = await reports.ids(searches, scope, { limit: projectIds.length, among: projectIds })
  return lists.map(({ ids }) => ids)
}

export async function findReportSuggestions(
  db: Db,
  reports: ReportEngine,
  expression: string,
  scope: ReportScope,
): Promise<ProjectSuggestion[]> {
  const search: ReportSearch = { project_search__in: expression }
  const withHidden: readonly ReportSearch[] = [search, { ...search, project_hidden: true }]
  const parts = withHidden.flatMap(splitSearchByReportTab)
  const { lists } = await reports.ids(parts, scope, { limit: MAX_PROJECT_SUGGESTIONS })
  const ids = lists.flatMap((list) => list.ids)
  return await loadProjectSuggestionsById(db, ids, scope)
}

export async function findReportAgencies(
  reports: ReportEngine,
  search: ReportSearch,
  scope: ReportScope,
  text: string,
): Promise<AgencyOptions> {
  const name = 'project_agency__in'
  const units = await reports.agencies(search, scope, name)
  return toAgencyOptions(units, { text, selected: search[name]?.values ?? [] })
}

export async function findReportFacets(
  reports: ReportEngine,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportFacets> {
  return presentFacets(await reports.facets(search, scope))
}

const nonEmpty = (options: readonly FacetOption[]) => options.filter((option) => option.count > 0)

function presentFacets({ counts, marks: { marks, max_budget } }: ReportFacetResult): ReportFacets {
  const ceilings = getBudgetSliderMaxima(max_budget ?? '0')
  const markOptions = REPORT_FILTER_SET.markFacets.map(({ name, facet: { unmarkedValue } }) => {
    const { options, marked = 0 } = marks[name]!
    const unmarked =
      unmarkedValue === undefined ? [] : [{ value: unmarkedValue, count: counts.passingBut[name]! - marked }]
    return [name, nonEmpty([...options, ...unmarked])] as const
  })
  return {
    options: { ...counts.options, ...Object.fromEntries(markOptions) },
    money: createRecord(REPORT_FACET_NAMES.money, (name) => ({
      max: ceilings[findReportParam(name).ceiling ?? 'otherBudgets'],
      bins: counts.bins[name],
    })),
    dates: counts.dates,
    due: counts.due,
  }
}

type AgencyOptionQuery = { readonly text: string; readonly selected: readonly string[] }

/**
 * Returns the agencies with most projects. With a text, returns those agencies and units whose names contain each of its
 * words.
 */
function toAgencyOptions(units: readonly CountedAgencyUnit[], { text, selected }: AgencyOptionQuery): AgencyOptions {
  const words = text.split(/\s+/).flatMap((word) => toNormalisedSearchText(word) || [])
  const options = toFacetOptions(words.length === 0 ? countAgencies(units) : searchAgencies(units, words))
  const largest = options.slice(0, MAX_AGENCY_OPTIONS)
  const values = new Set(largest.map(({ value }) => value))
  const selectedOptions = countSelected(units, new Set(selected)).filter(({ value }) => !values.has(value))
  return { total: options.length, results: [...largest, ...selectedOptions] }
}

const countAgencies = (units: readonly CountedAgencyUnit[]) =>
  units.map(({ agency, count }): CountedValue<string> => [agency, count])

function searchAgencies(units: readonly CountedAgencyUnit[], words: readonly string[]): CountedValue<string>[] {
  const counted: CountedValue<string>[] = []
  for (const [agency, group] of Map.groupBy(units, (unit) => unit.agency)) {
    const agencyText = toNormalisedSearchText(agency)
    const missing = words.filter((word) => !agencyText.includes(word))
    if (missing.length === 0) counted.push(...countAgencies(group))
    for (const { name, unit, count, searchText } of group)
      if (unit !== name && missing.every((word) => searchText.includes(word)))
        counted.push([formatAgencyUnit(agency, unit), count])
  }
  return counted
}

function countSelected(units: readonly CountedAgencyUnit[], selected: ReadonlySet<string>): FacetOption[] {
  if (selected.size === 0) return []
  return toFacetOptions(
    units.flatMap(({ name, agency, unit, count }) =>
      [...new Set([name, agency, formatAgencyUnit(name, unit), formatAgencyUnit(agency, unit)])].map(
        (value): CountedValue<string> => [selected.has(value) ? value : '', count],
      ),
    ),
  ).filter(({ value }) => value !== '')
}

const MAX_PROJECT_SUGGESTIONS = 5

type StoredSuggestion = Omit<ProjectSuggestion, 'budget'> & { budget_satang: number | null }

async function loadProjectSuggestionsById(
  db: Db,
  projectIds: readonly string[],
  scope: ReportScope,
): Promise<ProjectSuggestion[]> {
  const rows = await db.query<StoredSuggestion>(sql`
    select m.project_id, p.name, d.sub_name as dept_sub_name, p.budget_satang, m.is_archived,
      m.project_id in (${hiddenProjectIdsSql(scope.userId)}) as is_hidden
    from (
      select m.project_id, m.is_archived, m.movement_on from report_matches m
      where m.organisation_id = ${scope.organisationId}::int and m.project_id = any (${[...projectIds]}::text[])
      order by m.is_archived, m.movement_on desc nulls last, m.project_id limit ${MAX_PROJECT_SUGGESTIONS}::int
    ) m
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    order by m.is_archived, m.movement_on desc nulls last, m.project_id`)
  return rows.map(({ budget_satang, ...row }) => ({
    ...row,
    budget: satangToBaht(budget_satang),
  }))
}
