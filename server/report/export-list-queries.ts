import sql from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_DATA_LOAD_COLUMNS_SQL, LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from './change-status-sql.ts'
import { activeContractEndDatesByProjectSql } from './contract-ends-sql.ts'
import { reportMatchesFromClauseSql } from './deep/deep-search-hits.ts'
import { presentReportRow } from './present-report-page.ts'
import { pursuitsSql } from './pursuit-sql.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  removeDeepSearchCondition,
  reportCondition,
} from './report-filter-sql.ts'
import type { ReportIdOptions, ReportIds } from './report-queries.ts'
import {
  aggregateProjectValuePairsSql,
  PROJECT_COLUMNS_SQL,
  projectFilesSql,
  reportOrderSql,
  type StoredReportRow,
} from './report-rows-sql.ts'
import type { ReportScope } from './report-scope.ts'
import { type PackedReportRows, toMapByProjectId } from './stored-report-rows.ts'

/**
 * Timeout for export queries. A heavy semantic search over 200,000 matches takes several seconds, which is acceptable
 * because exports run in the background.
 */
export const EXPORT_TIMEOUT = { timeoutMs: 60_000 }

/** Loads the first `limit` ids of a search in its order, and the load that they reflect. */
export async function loadProjectIds(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
  { limit, ...timeout }: ReportIdOptions,
): Promise<ReportIds['lists'][number] & Pick<ReportIds, 'load' | 'dataTime'>> {
  const filters = joinFilterConditions(removeDeepSearchCondition(buildReportFilterConditions(search, scope)))
  // Ids are sent as one string: parsing an array of 200,000 would block the event loop for 100 ms.
  const [list] = await db.query<Pick<ReportIds, 'load' | 'dataTime'> & { ids: string | null; total: number }>(
    sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${reportOrderSql(search, scope.organisationId)}) as place
      from ${reportMatchesFromClauseSql(search, scope)} where ${reportCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as total, ${LATEST_DATA_LOAD_COLUMNS_SQL},
      (select string_agg(h.project_id, chr(10) order by h.place) from hits h where h.place <= ${limit}::int) as ids`,
    timeout,
  )
  return { ...list!, ids: list!.ids === null ? [] : list!.ids.split('\n') }
}

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
