import { storedFilterCriteriaSchema } from '#contract/account/filter-criteria.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import {
  findReportParam,
  formatReportSearch,
  REPORT_EXPRESSION_PARAMS,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { buildSavedFilterUrlParams, parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { describeSearchNode } from '#contract/search/describe-search-node.ts'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import type { ReportMailRecipient } from './mail-content-queries.ts'

/** A filter that an email reports on. `id` is undefined for the whole report, the default if no filter is chosen. */
export type ReportMailFilterSelection = {
  readonly id: string | undefined
  readonly name: string
  readonly search: ReportSearch
  readonly words: string
  readonly path: string
}

const WHOLE_REPORT: ReportMailFilterSelection = {
  id: undefined,
  name: 'รายงานทั้งหมด',
  search: {},
  words: 'ทุกโครงการที่ตรงกับคำติดตาม ยังไม่ได้เลือกตัวกรองที่จะส่งทางอีเมล',
  path: '/report',
}

/**
 * Returns the filters of a user's email: saved filters with email enabled, or else the whole report. A filter with
 * unreadable parts is listed as `unreadable` and skipped, because the readable parts alone would match too much.
 * Filters for hidden projects are skipped too.
 */
export function getReportMailFilters({
  filters,
  labels,
  team,
}: Pick<ReportMailRecipient, 'filters' | 'labels' | 'team'>): {
  readonly filters: readonly ReportMailFilterSelection[]
  readonly unreadable: readonly string[]
} {
  if (filters.length === 0) return { filters: [WHOLE_REPORT], unreadable: [] }
  const readable: ReportMailFilterSelection[] = []
  const unreadable: string[] = []
  for (const { id, name, filterData } of filters) {
    const data = storedFilterCriteriaSchema.safeParse(filterData)
    const { search, ignored } = data.success ? parseFilterCriteria(data.data) : { search: {}, ignored: [] }
    if (!data.success || ignored.length > 0) unreadable.push(name)
    else if (!search.project_hidden) {
      const address = buildSavedFilterUrlParams({ id, filterData: data.data })
      readable.push({ id, name, search, words: filterText(search, labels, team), path: reportPath(address) })
    }
  }
  return { filters: readable, unreadable }
}

function filterText(
  search: ReportSearch,
  labels: ReportMailRecipient['labels'],
  team: ReportMailRecipient['team'],
): string {
  const nonTextFilters: ReportSearch = {
    ...search,
    ...Object.fromEntries(REPORT_EXPRESSION_PARAMS.map((name) => [name, undefined])),
  }
  const echoed = REPORT_EXPRESSION_PARAMS.flatMap((name) => {
    const expression = search[name]
    return expression === undefined
      ? []
      : [`${findReportParam(name).th}: ${describeSearchNode(parseSearchExpressionOrThrow(expression))}`]
  })
  const chips = getSearchFilterTexts(nonTextFilters, labels, team).map(
    ({ label, value, negated }) => `${label === '' ? '' : `${label}: `}${negated ? 'ไม่ใช่ ' : ''}${value}`,
  )
  return [...echoed, ...chips].join(' · ') || 'ทุกโครงการในรายงาน'
}

function reportPath(address: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(address).toString()
  return `/report${query === '' ? '' : `?${query}`}`
}

export const getMorningQueuePath = ({ path }: ReportMailFilterSelection): string =>
  `${path}${path.includes('?') ? '&' : '?'}queue=true`

/** Maximum project ids in one URL, as set in contract/report/report-params.ts. */
const IDS_PER_URL = 200
const MAX_URLS = 3

/**
 * Returns URLs that show exactly these projects of a scope, even after the filter's relative days have moved on.
 * Undefined if more than `MAX_URLS` would be needed.
 */
export function buildProjectListPaths(ids: readonly string[], isArchived: boolean): readonly string[] | undefined {
  if (ids.length > IDS_PER_URL * MAX_URLS) return undefined
  const paths: string[] = []
  for (const slice of splitIntoSlices(ids, IDS_PER_URL)) {
    const search: ReportSearch = { ...(isArchived ? { is_archived: true } : {}), project_id__in: slice }
    paths.push(reportPath(formatReportSearch(search)))
  }
  return paths
}
