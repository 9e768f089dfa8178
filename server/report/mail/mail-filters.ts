import { filterDataSchema } from '#contract/account/filter-data.ts'
import { searchFilterTexts } from '#contract/report/filter-text.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import { EXPRESSION_PARAMS, printReportSearch, type ReportSearch, reportParam } from '#contract/report/report-params.ts'
import { savedFilterAddress, searchOfFilterData } from '#contract/report/saved-filter-search.ts'
import { echoSearch } from '#contract/search/search-echo.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import type { Recipient } from './mail-content-queries.ts'

/** A filter for a mail. `id` is undefined for the whole report, the default without a chosen filter. */
export type MailFilter = {
  readonly id: string | undefined
  readonly name: string
  readonly search: ReportSearch
  readonly words: string
  readonly path: string
}

const WHOLE_REPORT: MailFilter = {
  id: undefined,
  name: 'รายงานทั้งหมด',
  search: {},
  words: 'ทุกโครงการที่ตรงกับรายการเฝ้าติดตาม ยังไม่ได้เลือกตัวกรองที่จะส่งทางอีเมล',
  path: '/report',
}

/**
 * Filters of a user's mail: saved filters with mail enabled, else the whole report. Partly unreadable filters are
 * listed and skipped, because the rest would match too much; so are filters for hidden projects.
 */
export function mailFiltersOf({ filters, labels, team }: Pick<Recipient, 'filters' | 'labels' | 'team'>): {
  readonly filters: readonly MailFilter[]
  readonly unreadable: readonly string[]
} {
  if (filters.length === 0) return { filters: [WHOLE_REPORT], unreadable: [] }
  const readable: MailFilter[] = []
  const unreadable: string[] = []
  for (const { id, name, filterData } of filters) {
    const data = filterDataSchema.safeParse(filterData)
    const { search, ignored } = data.success ? searchOfFilterData(data.data) : { search: {}, ignored: [] }
    if (!data.success || ignored.some(({ reason }) => reason === 'invalid')) unreadable.push(name)
    else if (!search.project_hidden) {
      const address = savedFilterAddress({ id, filterData: data.data })
      readable.push({ id, name, search, words: wordsOf(search, labels, team), path: reportPath(address) })
    }
  }
  return { filters: readable, unreadable }
}

/** As in the report: search expressions by their echo ("มี กล้อง หรือ CCTV"), the rest as chips. */
function wordsOf(search: ReportSearch, labels: Recipient['labels'], team: Recipient['team']): string {
  const others: ReportSearch = { ...search, ...Object.fromEntries(EXPRESSION_PARAMS.map((name) => [name, undefined])) }
  const echoed = EXPRESSION_PARAMS.flatMap((name) => {
    const expression = search[name]
    return expression === undefined ? [] : [`${reportParam(name).th}: ${echoSearch(acceptedNode(expression))}`]
  })
  const chips = searchFilterTexts(others, labels, team).map(
    ({ label, value, negated }) => `${label === '' ? '' : `${label}: `}${negated ? 'ไม่ใช่ ' : ''}${value}`,
  )
  return [...echoed, ...chips].join(' · ') || 'ทุกโครงการในรายงาน'
}

function reportPath(address: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(address).toString()
  return `/report${query === '' ? '' : `?${query}`}`
}

/** Limit of ids per URL (contract/report/report-params.ts). */
const IDS_AN_ADDRESS = 200
/** Maximum links per heading; above it the mail links to the filter. */
const MOST_ADDRESSES = 3

/**
 * URLs that show exactly these projects of a tab, even after the filter's relative days move on; several if needed.
 * Undefined above `MOST_ADDRESSES`.
 */
export function pathsOf(ids: readonly string[], isArchived: boolean): readonly string[] | undefined {
  if (ids.length > IDS_AN_ADDRESS * MOST_ADDRESSES) return undefined
  const paths: string[] = []
  for (const slice of slicesOf(ids, IDS_AN_ADDRESS)) {
    const search: ReportSearch = { ...(isArchived ? { is_archived: true } : {}), project_id__in: slice }
    paths.push(reportPath(printReportSearch(search)))
  }
  return paths
}
