import sql from 'sql-template-tag'
import type { Qualifications } from '#contract/account/qualification.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { expandSemanticSearchSync } from '#server/report/deep/expand-semantic-search.ts'
import type { ReportFilterContext, ReportScope } from './report-queries.ts'

/**
 * Returns what `compileReportMatcher` needs to filter `rows`, all rows of the report, in plain code. The visit of
 * `scope` must have ended before the last load.
 */
export async function loadReportFilterContext(
  db: Db,
  { organisationId, userId, today }: ReportScope,
  rows: readonly ReportRow[],
  organisation: { readonly packageProvinces: ReadonlySet<number>; readonly bidder: Qualifications },
): Promise<ReportFilterContext> {
  const bookmarks = await db.query<{ project_id: string }>(
    sql`select project_id from bookmarks where user_id = ${userId}::int`,
  )
  const hidden = await db.query<{ project_id: string }>(
    sql`select project_id from hidden_projects where user_id = ${userId}::int`,
  )
  const labels = await db.query<{ project_id: string; label_id: string }>(
    sql`select project_id, label_id from label_assignments where user_id = ${userId}::int`,
  )
  const teamLabels = await db.query<{ project_id: string; label_id: string }>(
    sql`select project_id, label_id from team_label_assignments where organisation_id = ${organisationId}::int`,
  )
  const pages = await db.query<{ id: string; text: string }>(sql`
    select d.project_id as id, p.text from documents d join document_pages p on p.document_id = d.id
    where d.organisation_id = ${organisationId}::int`)
  const foldedPages = pages.map(({ id, text }) => ({ id, folded: foldDocumentText(text).folded }))
  return {
    today,
    bookmarks: new Set(bookmarks.map((row) => row.project_id)),
    labels: byProject(labels),
    teamLabels: byProject(teamLabels),
    hidden: new Set(hidden.map((row) => row.project_id)),
    sinceVisit: new Set(rows.filter((row) => row.change_status !== 'no_change').map((row) => row.project_id)),
    ...organisation,
    isInDocuments: (phrase, id) => foldedPages.some((page) => page.id === id && page.folded.includes(phrase)),
    isMeant: (sentence, name) => expandSemanticSearchSync(sentence).match(toNormalisedSearchText(name)) !== undefined,
  }
}

function byProject(assignments: readonly { project_id: string; label_id: string }[]): Map<string, string[]> {
  const groups = Map.groupBy(assignments, ({ project_id: id }) => id)
  return new Map([...groups].map(([id, of]) => [id, of.map(({ label_id: label }) => label)]))
}
