import { isNaturalPerson, PERSON_KEY_PREFIX } from '#contract/catalogue/natural-person.ts'
import { findNewestEgpUrl } from '#contract/report/egp-href.ts'
import type { DeepSearchSummary, ReportPage, ReportRow } from '#contract/report/report.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import { findProvinceByCode, REGIONS } from '#contract/thai/province.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { CHANGE_STATUSES_BY_NUMBER } from './change-status-sql.ts'
import { expandDeepSearchSync } from './deep/expand-deep-search.ts'
import type { StoredReportPage, StoredReportRow } from './report-rows-sql.ts'
import type { PreviousReportVisit } from './report-scope.ts'

const baht = (satang: number | null) => (satang === null ? null : satang / 100)
const regionOf = (code: number | null) => {
  const province = code === null ? undefined : findProvinceByCode(code)
  return province ? REGIONS.find((region) => region.code === province.region)!.th : null
}
const provinceOf = (code: number | null) => (code === null ? null : (findProvinceByCode(code)?.th ?? null))
const isoTimestamp = (text: string | null) => (text === null ? null : new Date(text).toISOString())

function presentFiles({
  attachments,
  attachment_urls: urls,
}: StoredReportRow): Pick<ReportRow, 'attachments' | 'attachment_summary'> {
  if (urls === undefined) return { attachments: attachments ?? [] }
  return { attachment_summary: { count: urls?.length ?? 0, egp: findNewestEgpUrl(urls ?? []) ?? null } }
}

/** Lists the API fields explicitly, so that new columns never leak. */
export function presentReportRow(row: StoredReportRow): ReportRow {
  return {
    project_id: row.project_id,
    change_status: CHANGE_STATUSES_BY_NUMBER[row.change] ?? 'no_change',
    changes: (row.changes ?? []).map((change) => ({ ...change, seen_at: isoTimestamp(change.seen_at)! })),
    name: row.name,
    matched_words: row.matched_words,
    // Document matches use the same word list as name matches, so they are reported as name matches.
    matched_by: [...new Set(row.matched_by.map((kind) => (kind === 'document' ? 'name' : kind)))],
    match_reasons: row.match_reasons ?? [],
    rescued_from: row.rescued_from,
    deep: row.deep && { score: row.deep.score, phrases: [...row.deep.phrases] },
    dept_name: row.dept_name,
    dept_sub_name: row.dept_sub_name,
    dept_region: regionOf(row.dept_province),
    dept_province: provinceOf(row.dept_province),
    project_region: regionOf(row.project_province),
    project_province: provinceOf(row.project_province),
    budget: baht(row.budget_satang),
    estimate_budget: baht(row.estimate_satang),
    criteria: row.criteria,
    movement: row.movement,
    movement_date: row.movement_on,
    ...(row.is_movement_undated ? { is_movement_undated: true } : {}),
    draft_published_date: row.draft_published_on,
    draft_discussion_end_date: row.draft_discussion_ends_on,
    bidding_invite_date: row.bidding_invited_on,
    submission_end_date: row.submission_ends_on,
    submission_time: row.submission_time,
    status: row.status,
    winner_name: row.winner_name,
    ...(row.winner_name !== null && isCompany(row, row.winner_name) ? { is_winner_company: true } : {}),
    winner_count: row.winner_count,
    ...presentOtherWinners(row),
    ...presentOtherPersons(row),
    winner_budget: baht(row.winner_satang),
    method: row.method,
    method_type: row.method_type,
    remark: row.remark,
    winner_announce_date: row.winner_announced_on,
    ...presentFiles(row),
    ...(row.contract_ends ? { contract_ends: row.contract_ends } : {}),
    is_archived: row.is_archived,
    is_sme: row.is_sme,
    pursuit: row.pursuit,
    ...(row.from_documents ? { from_documents: row.from_documents } : {}),
    ...(row.doubts ? { doubts: row.doubts.map(({ kind, field, value }) => ({ kind, field, value })) } : {}),
  }
}

export type ReportPageContext = {
  readonly search: ReportSearch
  readonly filterToRelax: { parameter: string; total: number } | undefined
  readonly ignored: readonly string[]
  readonly visit: PreviousReportVisit | undefined
  readonly linkTo: (page: number) => string
}

/** True if nothing matches at all. A tab whose projects are all hidden is not empty. */
export function isReportTabEmpty({ all, hidden_by_user }: StoredReportPage): boolean {
  return all + hidden_by_user === 0
}

function presentDeepSearch({ ai_deep_search__in: sentences }: ReportSearch): DeepSearchSummary | null {
  if (!sentences) return null
  const expansions = sentences.map((sentence) => ({ sentence, ...expandDeepSearchSync(sentence) }))
  return {
    engine: expansions[0]!.engine,
    sentences: expansions.map(({ sentence, known, terms }) => ({
      sentence,
      known,
      terms: terms.map(({ term }) => term),
    })),
  }
}

export function presentReportPage(
  stored: StoredReportPage,
  { search, filterToRelax, ignored, visit, linkTo }: ReportPageContext,
): ReportPage {
  const page = search.page ?? 1
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  const { customer_config: config } = stored
  return {
    links: buildPageLinks({ page, pageSize: size, total: stored.total }, linkTo),
    total_project: stored.total,
    page,
    page_size: size,
    results: stored.rows.map(presentReportRow),
    total_budget: Number(stored.total_budget_satang) / 100,
    ...(stored.amounts_in_doubt > 0 ? { amounts_in_doubt: stored.amounts_in_doubt } : {}),
    data_time: stored.data_time,
    pursuit_version: stored.pursuit_version,
    report_window: {
      start: config.start_date_report ?? config.report_start_date ?? null,
      end: config.end_date_report ?? null,
    },
    counts: {
      all: stored.all,
      new: stored.new,
      updated: stored.updated,
      discussion_7d: stored.discussion_7d,
      submission_7d: stored.submission_7d,
      hidden: stored.hidden,
      hidden_by_user: stored.hidden_by_user,
      since_visit: visit ? stored.since_visit : null,
    },
    previous_visit_at: visit?.endedAt ?? null,
    deep_search: presentDeepSearch(search),
    filter_to_relax: filterToRelax ?? null,
    rules: { has_rules: stored.has_rules, last_match_date: isReportTabEmpty(stored) ? stored.last_match_date : null },
    ignored_parameters: [...ignored],
  }
}

type Winners = Pick<StoredReportRow, 'other_winners' | 'person_winners'>

function isCompany({ person_winners: personWinners }: Winners, name: string): boolean {
  return !isNaturalPerson({ taxId: personWinners?.includes(name) ? PERSON_KEY_PREFIX : null, name })
}

function presentOtherPersons(row: Winners) {
  const names = row.other_winners?.split('\n').filter((name) => !isCompany(row, name)) ?? []
  return names.length > 0 ? { other_winners_without_page: names } : {}
}

export const presentOtherWinners = ({ other_winners: names }: { readonly other_winners: string | null }) =>
  names ? { other_winners: names.split('\n') } : {}
