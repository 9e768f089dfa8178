import sql from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from './change-status-sql.ts'
import { activeContractEndDatesByProjectSql } from './contract-ends-sql.ts'
import { presentReportRow } from './present-report-page.ts'
import { pursuitsSql } from './pursuit-sql.ts'
import {
  aggregateProjectValuePairsSql,
  PROJECT_COLUMNS_SQL,
  projectFilesSql,
  type StoredReportRow,
} from './report-rows-sql.ts'
import { type PackedReportRows, toMapByProjectId } from './stored-report-rows.ts'

/**
 * Timeout for export queries. A heavy semantic search over 200,000 matches takes several seconds, which is acceptable
 * because exports run in the background.
 */
export const EXPORT_TIMEOUT = { timeoutMs: 60_000 }

const UNUSED_FIELDS = {
  changes: null,
  matched_words: [],
  matched_by: [],
  match_reasons: null,
  rescued_from: null,
  deep: null,
} satisfies Partial<StoredReportRow>

type StoredExportRows = Pick<PackedReportRows, 'pursuits' | 'files' | 'contract_ends'> & {
  readonly rows: Omit<StoredReportRow, keyof typeof UNUSED_FIELDS | keyof PackedReportRows>[]
  readonly load: number | null
}

/**
 * Returns the rows of these ids in the given order, without match reasons, and the load that the rows reflect. Omits
 * projects that no longer match, so callers may get fewer rows than ids.
 */
export async function loadExportRows(
  db: Db,
  organisationId: number,
  ids: readonly string[],
  { withAttachments, withPursuits }: { readonly withAttachments: boolean; readonly withPursuits: boolean },
): Promise<{ readonly rows: ReportRow[]; readonly load: number | null }> {
  const idArray = sql`${[...ids]}::text[]`
  const [page] = await db.query<StoredExportRows>(
    sql`
    select ${LATEST_DATA_LOAD_ID_SQL} as load, coalesce((select json_agg(r order by r.place) from (
      select picked.place, m.project_id, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${PROJECT_COLUMNS_SQL}
      from unnest(${idArray}) with ordinality picked (project_id, place)
      join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = picked.project_id
      join projects p on p.project_id = m.project_id
      join departments d on d.id = p.department_id
    ) r), '[]') as rows, ${aggregateProjectValuePairsSql(activeContractEndDatesByProjectSql(idArray))} as contract_ends,
      ${withAttachments ? aggregateProjectValuePairsSql(projectFilesSql(idArray, 'listed')) : sql`null::json`} as files,
      ${withPursuits ? aggregateProjectValuePairsSql(pursuitsSql(organisationId, idArray)) : sql`null::json`} as pursuits`,
    EXPORT_TIMEOUT,
  )
  const { load, rows, ...joinedParts } = page!
  const [files, pursuits, contractEnds] = [
    toMapByProjectId(joinedParts.files),
    toMapByProjectId(joinedParts.pursuits),
    toMapByProjectId(joinedParts.contract_ends),
  ]
  const completeRow = (row: StoredExportRows['rows'][number]): StoredReportRow => ({
    ...row,
    ...UNUSED_FIELDS,
    attachments: (files.get(row.project_id) ?? null) as NonNullable<StoredReportRow['attachments']> | null,
    pursuit: pursuits.get(row.project_id) ?? null,
    contract_ends: contractEnds.get(row.project_id) ?? null,
  })
  return { rows: rows.map((row) => presentReportRow(completeRow(row))), load }
}
