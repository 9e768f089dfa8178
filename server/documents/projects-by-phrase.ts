import sql, { join, type Sql } from 'sql-template-tag'
import { getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * SQL expression whose value changes whenever the organisation's searchable documents change: row count plus a hash
 * over all rows and their `xmin`. Pages are only written together with their document, so they need no hash.
 */
const versionOf = (organisationId: number): Sql => sql`(
  select count(*) || ' ' || coalesce(bit_xor(hashtextextended(concat_ws(' ', d.id, d.xmin), 0)), 0)
  from documents d where d.organisation_id = ${organisationId}::int)`

export async function loadDocumentsVersion(db: Db, organisationId: number): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`select ${versionOf(organisationId)} as version`)
  return row!.version
}

/**
 * SQL that selects projects with a page that contains the phrase. The index yields candidate pages, whose text is then
 * checked. One hit per project suffices, so a common word costs only one page per project.
 */
const projectsWithPhrase = (organisationId: number, phrase: string): Sql => sql`(
  select coalesce(json_agg(g.project_id), '[]') from (
    select d.project_id, array_agg(c.document_id) as documents, array_agg(c.page) as pages
    from document_page_candidates(${getFoldedTextTrigrams(phrase)}::int[]) c join documents d on d.id = c.document_id
    where d.organisation_id = ${organisationId}::int
    group by d.project_id
  ) g
  where exists (
    select from unnest(g.documents, g.pages) u (id, page) join document_pages p on p.document_id = u.id and p.page = u.page
    where p.organisation_id = ${organisationId}::int and position(${phrase} in p.folded) > 0
  ))`

/**
 * Returns for each folded phrase of at least three letters the ids of all projects with a document containing it,
 * unordered, plus the matching version of the documents. Call with the tenant set and at most about twenty phrases.
 */
export async function loadProjectIdsByDocumentPhrase(
  db: Db,
  organisationId: number,
  phrases: readonly string[],
): Promise<{ readonly version: string; readonly holders: readonly (readonly string[])[] }> {
  const [row] = await db.query<{ version: string; holders: string[][] }>(sql`
    select ${versionOf(organisationId)} as version,
      json_build_array(${join(phrases.map((phrase) => projectsWithPhrase(organisationId, phrase)))}) as holders`)
  return row!
}
