import sql, { type Sql } from 'sql-template-tag'
import { findReportColumn, type ReportColumnField, type ReportRowPart } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { activeContractEndDatesByProjectSql } from '#server/catalogue/contract/contract-ends-sql.ts'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL, pursuitsSql } from '#server/report/match-sql.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import type { ReportEngine, ReportScope, StoredReportProject, StoredReportRow } from '#server/report/report-queries.ts'
import { presentReportRow } from '#server/report/report-rows.ts'
import {
  aggregateProjectValuePairsSql,
  describeMatch,
  type MatchDescription,
  matchWordsSql,
  type PackedReportRows,
  PROJECT_COLUMNS_SQL,
  projectFilesSql,
  toMapByProjectId,
  toMatchDescriptionsById,
} from '#server/report/report-rows-sql.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'

/**
 * Timeout for export queries. A heavy semantic search over 200,000 matches takes several seconds, which is acceptable
 * because exports run in the background.
 */
const EXPORT_TIMEOUT = { timeoutMs: 60_000 }

/**
 * `at` is the time of the request. "Today" and "since my last visit" refer to that time, not to the time the export
 * runs.
 */
export type ExportScope = { readonly organisationId: number; readonly userId: number; readonly at: Date }

export type ExportList = {
  readonly ids: readonly string[]
  readonly found: number
  readonly load: number | null
  readonly dataTime: string | null
}

export async function findExportList(
  db: Db,
  reports: ReportEngine,
  query: Readonly<Record<string, string>>,
  { organisationId, userId, at }: ExportScope,
  limit: number,
): Promise<ExportList> {
  const { search } = parseReportQueryInput(query)
  const visit = await findPreviousReportVisit(db, userId, at)
  return await findProjectList(reports, search, { organisationId, userId, today: getBangkokToday(at), visit }, limit)
}

export async function findProjectList(
  reports: ReportEngine,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<ExportList> {
  const { lists, load, dataTime } = await reports.ids([search], scope, { limit, ...EXPORT_TIMEOUT })
  const { ids, total } = lists[0]!
  return { ids, found: total, load, dataTime }
}

const UNUSED_FIELDS = { changes: null, rescued_from: null, deep: null } satisfies Partial<StoredReportRow>
const ROW_PARTS = ['files', 'pursuits', 'reasons'] as const satisfies readonly ReportRowPart[]
const NO_REASONS: MatchDescription = [[], [], null]

type StoredExportRow = StoredReportProject &
  Pick<StoredReportRow, 'project_id' | 'change'> & { readonly words_id: number }
type StoredExportRows = Pick<PackedReportRows, 'pursuits' | 'files' | 'contract_ends' | 'words'> & {
  readonly rows: StoredExportRow[]
  readonly load: number | null
}

/**
 * Returns the rows of these ids in the given order, with the parts that `columns` show, and the load that the rows
 * reflect. Omits projects that no longer match, so callers may get fewer rows than ids.
 */
export async function loadExportRows(
  db: Db,
  organisationId: number,
  ids: readonly string[],
  columns: readonly ReportColumnField[],
): Promise<{ readonly rows: ReportRow[]; readonly load: number | null }> {
  const parts = new Set(columns.map((field) => findReportColumn(field)?.part))
  const partSql = (part: ReportRowPart, value: () => Sql) => (parts.has(part) ? value() : sql`null::json`)
  const wordIds = sql`
    select m.words_id from report_matches m where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...ids]}::text[])`
  const idArray = sql`${[...ids]}::text[]`
  const [page] = await db.query<StoredExportRows>(
    sql`
    select ${LATEST_DATA_LOAD_ID_SQL} as load, coalesce((select json_agg(r order by r.place) from (
      select picked.place, m.project_id, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, m.words_id, ${PROJECT_COLUMNS_SQL}
      from unnest(${idArray}) with ordinality picked (project_id, place)
      join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = picked.project_id
      join projects p on p.project_id = m.project_id
      join departments d on d.id = p.department_id
    ) r), '[]') as rows, ${aggregateProjectValuePairsSql(activeContractEndDatesByProjectSql(idArray))} as contract_ends,
      ${partSql('files', () => aggregateProjectValuePairsSql(projectFilesSql(idArray, 'listed')))} as files,
      ${partSql('pursuits', () => aggregateProjectValuePairsSql(pursuitsSql(organisationId, idArray)))} as pursuits,
      ${partSql('reasons', () => matchWordsSql(organisationId, wordIds))} as words`,
    // Named, so that PostgreSQL plans only the first pages of a file: planning takes an eighth of a page's time.
    { ...EXPORT_TIMEOUT, name: ['export_rows', ...ROW_PARTS.filter((part) => parts.has(part))].join('_') },
  )
  const { load, rows, ...joinedParts } = page!
  const [files, pursuits, contractEnds] = [
    toMapByProjectId(joinedParts.files),
    toMapByProjectId(joinedParts.pursuits),
    toMapByProjectId(joinedParts.contract_ends),
  ]
  const words = toMatchDescriptionsById(joinedParts.words)
  const completeRow = ({ words_id, ...row }: StoredExportRow): StoredReportRow => ({
    ...row,
    ...UNUSED_FIELDS,
    ...describeMatch(words.get(words_id) ?? NO_REASONS),
    attachments: (files.get(row.project_id) ?? null) as NonNullable<StoredReportRow['attachments']> | null,
    pursuit: pursuits.get(row.project_id) ?? null,
    contract_ends: contractEnds.get(row.project_id) ?? null,
  })
  return { rows: rows.map((row) => presentReportRow(completeRow(row))), load }
}
