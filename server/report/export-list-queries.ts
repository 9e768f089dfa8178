import sql from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_LOAD } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { contractEndsOf } from './contract-ends-sql.ts'
import { matchesOf } from './deep/deep-hits.ts'
import { allOf, CHANGE_NUMBER, conditionsOfMatches, filterConditions, reportCondition } from './filter-sql.ts'
import { presentRow } from './present-page.ts'
import { pursuitsOf } from './pursuit-sql.ts'
import type { ReportScope } from './queries.ts'
import { filesOf, orderSql, PROJECT_COLUMNS, pairsOf, type StoredRow } from './rows-sql.ts'
import { byProject, type StoredParts } from './stored-rows.ts'
import { withResolvedSearches } from './with-resolved-searches.ts'

export type ExportList = {
  readonly ids: readonly string[]
  readonly found: number
  readonly load: number | null
  readonly dataTime: string | null
}

export const EXPORT_VERSION_COLUMNS = sql`${LATEST_LOAD} as load, (select max(l.published_at) from loads l where l.state = 'published') as "dataTime"`

/**
 * A heavy semantic search over 200,000 matches takes several seconds. Exports run in the background, so this is
 * acceptable.
 */
const LONG_TIMEOUT = { timeoutMs: 60_000 }

export async function listExport(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
  limit: number,
): Promise<ExportList> {
  const scope = await withResolvedSearches(db, [search], requestScope)
  const filters = allOf(conditionsOfMatches(filterConditions(search, scope)))
  // Ids are sent as one string: parsing an array of 200,000 would block the event loop for 100 ms.
  const [list] = await db.query<Omit<ExportList, 'ids'> & { ids: string | null }>(
    sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${orderSql(search, scope.organisationId)}) as place
      from ${matchesOf(search, scope)} where ${reportCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as found, ${EXPORT_VERSION_COLUMNS},
      (select string_agg(h.project_id, chr(10) order by h.place) from hits h where h.place <= ${limit}::int) as ids`,
    LONG_TIMEOUT,
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
} satisfies Partial<StoredRow>

type StoredExportRows = Pick<StoredParts, 'pursuits' | 'files' | 'contract_ends'> & {
  readonly rows: Omit<StoredRow, keyof typeof UNUSED_FIELDS | keyof StoredParts>[]
  readonly load: number | null
}

/**
 * Returns rows in the order of `ids`, without match reasons, and the load they reflect. Leaves out projects that no
 * longer match, so callers may get fewer rows than ids.
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
    select ${LATEST_LOAD} as load, coalesce((select json_agg(r order by r.place) from (
      select picked.place, m.project_id, ${CHANGE_NUMBER} as change, ${PROJECT_COLUMNS}
      from unnest(${idArray}) with ordinality picked (project_id, place)
      join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = picked.project_id
      join projects p on p.project_id = m.project_id
      join departments d on d.id = p.department_id
    ) r), '[]') as rows, ${pairsOf(contractEndsOf(idArray))} as contract_ends,
      ${withAttachments ? pairsOf(filesOf(idArray, 'listed')) : sql`null::json`} as files,
      ${withPursuits ? pairsOf(pursuitsOf(organisationId, idArray)) : sql`null::json`} as pursuits`,
    LONG_TIMEOUT,
  )
  const { load, rows, ...joinedParts } = page!
  const [files, pursuits, contractEnds] = [
    byProject(joinedParts.files),
    byProject(joinedParts.pursuits),
    byProject(joinedParts.contract_ends),
  ]
  const completeRow = (row: StoredExportRows['rows'][number]): StoredRow => ({
    ...row,
    ...UNUSED_FIELDS,
    attachments: (files.get(row.project_id) ?? null) as NonNullable<StoredRow['attachments']> | null,
    pursuit: pursuits.get(row.project_id) ?? null,
    contract_ends: contractEnds.get(row.project_id) ?? null,
  })
  return { rows: rows.map((row) => presentRow(completeRow(row))), load }
}
