import sql from 'sql-template-tag'
import { isNaturalPerson, PERSON_KEY_PREFIX } from '#contract/catalogue/natural-person.ts'
import {
  getProjectFact,
  type ProjectFactType,
  REPORT_FACT_NAMES,
  type REPORT_FACTS,
  type ReportFactName,
  type StoredFactColumns,
} from '#contract/catalogue/project-facts.ts'
import { findNewestEgpUrl } from '#contract/report/egp-href.ts'
import type { ReportPageResponse, ReportRow, SemanticSearchSummary } from '#contract/report/report.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import { findProvinceByCode, getProvinceName, REGIONS } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { expandSemanticSearchSync } from '#server/report/deep/expand-semantic-search.ts'
import { CHANGE_STATUSES_BY_NUMBER, PROJECT_CHANGE_STATUS_NUMBER_SQL } from './match-sql.ts'
import type { PreviousReportVisit, StoredReportPage, StoredReportRow } from './report-queries.ts'
import { type PackedReportRows, reportRowsSql, toStoredReportRows } from './report-rows-sql.ts'

const regionOf = (code: number | null) => {
  const province = code === null ? undefined : findProvinceByCode(code)
  return province ? REGIONS.find((region) => region.code === province.region)!.th : null
}
const isoTimestamp = (text: string | null) => (text === null ? null : new Date(text).toISOString())

function presentFiles({
  attachments,
  attachment_urls: urls,
}: StoredReportRow): Pick<ReportRow, 'attachments' | 'attachment_summary'> {
  if (urls === undefined) return { attachments: attachments ?? [] }
  return { attachment_summary: { count: urls?.length ?? 0, egp: findNewestEgpUrl(urls ?? []) ?? null } }
}

const PRESENTERS: Partial<Record<ProjectFactType, (value: number | null) => unknown>> = {
  money: satangToBaht,
  province: getProvinceName,
  region: regionOf,
}
const PRESENTED_FACTS = REPORT_FACT_NAMES.map((name) => {
  const { type, column } = getProjectFact(name)
  return { name, column: column as keyof StoredFactColumns<typeof REPORT_FACTS>, present: PRESENTERS[type] }
})

/** Copied for each row: spreading an object whose properties were added one by one takes eight times as long. */
const EMPTY_FACTS: Readonly<Record<string, unknown>> = Object.fromEntries(REPORT_FACT_NAMES.map((name) => [name, null]))

export function presentFacts(row: StoredFactColumns<typeof REPORT_FACTS>): Pick<ReportRow, ReportFactName> {
  const facts = { ...EMPTY_FACTS }
  for (const { name, column, present } of PRESENTED_FACTS)
    facts[name] = present ? present(row[column] as number | null) : row[column]
  // The loop sets every fact of the list, but TypeScript cannot follow that.
  return facts as Pick<ReportRow, ReportFactName>
}

/** Lists the API fields explicitly or by the catalogue of facts, so that new columns never leak. */
export function presentReportRow(row: StoredReportRow): ReportRow {
  return {
    project_id: row.project_id,
    change_status: CHANGE_STATUSES_BY_NUMBER[row.change] ?? 'no_change',
    changes: (row.changes ?? []).map((change) => ({ ...change, seen_at: isoTimestamp(change.seen_at)! })),
    matched_words: row.matched_words,
    // Document matches use the same word list as name matches, so they are reported as name matches.
    matched_by: [...new Set(row.matched_by.map((kind) => (kind === 'document' ? 'name' : kind)))],
    match_reasons: row.match_reasons ?? [],
    rescued_from: row.rescued_from,
    deep: row.deep && { score: row.deep.score, phrases: [...row.deep.phrases] },
    ...(row.fit ? { fit: row.fit } : {}),
    ...presentFacts(row),
    ...(row.is_movement_undated ? { is_movement_undated: true } : {}),
    ...(row.winner_name !== null && isCompany(row, row.winner_name) ? { is_winner_company: true } : {}),
    ...presentOtherWinners(row),
    ...presentOtherPersons(row),
    ...presentFiles(row),
    ...(row.contract_ends ? { contract_ends: row.contract_ends } : {}),
    pursuit: row.pursuit,
    ...(row.from_documents ? { from_documents: row.from_documents } : {}),
    ...(row.doubts ? { doubts: row.doubts.map(({ kind, field, value }) => ({ kind, field, value })) } : {}),
  }
}

type ReportPageContext = {
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

function presentDeepSearch({ ai_deep_search__in: sentences }: ReportSearch): SemanticSearchSummary | null {
  if (!sentences) return null
  const expansions = sentences.map((sentence) => ({ sentence, ...expandSemanticSearchSync(sentence) }))
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
): ReportPageResponse {
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
    ...(stored.fit ? { fit: stored.fit } : {}),
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

export async function loadReportRow(db: Db, projectId: string, organisationId: number): Promise<ReportRow | undefined> {
  return (await loadReportRowsById(db, organisationId, [projectId])).get(projectId)
}

export async function loadReportRowsById(
  db: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<Map<string, ReportRow>> {
  const rowsToLoad = sql`
    select m.project_id, m.words_id, m.changed_load, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, m.project_id as place from report_matches m
    where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...projectIds]}::text[])`
  // Single-row lookups are frequent, so reuse a prepared plan; for batches, let the planner see the array size.
  const options = projectIds.length === 1 ? { name: 'report_row' } : undefined
  const [result] = await db.query<{ parts: PackedReportRows }>(
    sql`select ${reportRowsSql(organisationId, rowsToLoad)} as parts`,
    options,
  )
  return new Map(toStoredReportRows(result!.parts).map((row) => [row.project_id, presentReportRow(row)]))
}
