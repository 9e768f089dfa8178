import { filterDataSchema } from '#contract/account/filter-data.ts'
import { searchFilterTexts } from '#contract/report/filter-text.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import { EXPRESSION_PARAMS, printReportSearch, type ReportSearch, reportParam } from '#contract/report/report-params.ts'
import { savedFilterAddress, searchOfFilterData } from '#contract/report/saved-filter-search.ts'
import { echoSearch } from '#contract/search/search-echo.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import type { Recipient } from './queries-content.ts'

/** A filter that a mail goes by. `id` is undefined for the whole report, which is what somebody gets who chose no filter. */
export type MailFilter = {
  readonly id: string | undefined
  readonly name: string
  readonly search: ReportSearch
  /** What it asks for, as the report's chips say it. */
  readonly words: string
  /** Its own address in the report. */
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
 * The filters of a user's mail: the saved ones that are switched on, else the whole report. One of which a part cannot be read is named
 * and left out, for the rest of it would find too much; so are those that show what the user hid.
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

/** As the report says it: search expressions by their echo, "มี กล้อง หรือ CCTV", the rest as its chips. */
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

/** What one address may name (contract/report/report-params.ts). */
const IDS_AN_ADDRESS = 200
/** Most links under one heading. For more projects than they can name the mail links to the filter instead. */
const MOST_ADDRESSES = 3

/**
 * Addresses that show just these projects of a tab, however the filter's days move on until somebody opens them; several where they
 * are many. Undefined when even those are too few.
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
