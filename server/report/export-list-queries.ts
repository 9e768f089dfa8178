import sql, { type Sql } from 'sql-template-tag'
import { findReportColumn, type ReportColumnField, type ReportRowPart } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from './change-status-sql.ts'
import { activeContractEndDatesByProjectSql } from './contract-ends-sql.ts'
import { presentReportRow } from './present-report-page.ts'
import { pursuitsSql } from './pursuit-sql.ts'
import {
  aggregateProjectValuePairsSql,
  matchWordsSql,
  PROJECT_COLUMNS_SQL,
  projectFilesSql,
  type StoredReportProject,
  type StoredReportRow,
} from './report-rows-sql.ts'
import {
  describeMatch,
  type MatchDescription,
  type PackedReportRows,
  toMapByProjectId,
  toMatchDescriptionsById,
} from './stored-report-rows.ts'

/**
 * Timeout for export queries. A heavy semantic search over 200,000 matches takes several seconds, which is acceptable
 * because exports run in the background.
 */
export const EXPORT_TIMEOUT = { timeoutMs: 60_000 }

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
