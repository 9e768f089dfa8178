import sql, { type Sql } from 'sql-template-tag'
import { DOCUMENT_FACT_SOURCE } from '#contract/catalogue/fact-source.ts'
import type { DocumentFact } from '#contract/documents/document.ts'
import type { DocumentMismatch } from '#contract/documents/document-mismatch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findDocumentMismatch } from './facts/find-document-mismatch.ts'

export type StoredDocumentIdentity = {
  readonly title: string
  readonly agencies: readonly string[]
  readonly amounts: readonly (number | null)[]
} | null

/**
 * SQL expression: the amount, or null if it was filled from a document, because that document would then be compared
 * with itself.
 */
const amountOf = (column: Sql, field: 'budget' | 'estimate_budget') =>
  sql`case when s.fields -> ${field} ->> 0 = ${DOCUMENT_FACT_SOURCE} then null else ${column} / 100.0 end`

export const PROJECT_IDENTITY_SQL = sql`(
  select json_build_object('title', p.name, 'agencies', json_build_array(a.name, a.sub_name), 'amounts',
    json_build_array(${amountOf(sql`p.budget_satang`, 'budget')}, ${amountOf(sql`p.estimate_satang`, 'estimate_budget')}))
  from projects p join departments a on a.id = p.department_id left join field_sources s on s.project_id = p.project_id
  where p.project_id = d.project_id)`

export function findDocumentIdentityMismatch(
  facts: readonly DocumentFact[],
  identity: StoredDocumentIdentity,
): DocumentMismatch | null {
  if (identity === null) return null
  return findDocumentMismatch(facts, { ...identity, amounts: identity.amounts.filter((amount) => amount !== null) })
}

export async function findMismatchedDocuments(db: Db, organisationId: number, projectId: string): Promise<string[]> {
  const rows = await db.query<{ id: string; facts: DocumentFact[]; identity: StoredDocumentIdentity }>(sql`
    select d.id, d.facts, ${PROJECT_IDENTITY_SQL} as identity from documents d
    where d.organisation_id = ${organisationId}::int and d.project_id = ${projectId}`)
  return rows.flatMap(({ id, facts, identity }) => (findDocumentIdentityMismatch(facts, identity) ? [id] : []))
}

/**
 * Returns hashes of fetched files that may belong to another project than the one whose announcement linked to them.
 * Called only by jobs.
 */
export async function findMismatchedFiles(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ hash: string; facts: DocumentFact[]; identity: StoredDocumentIdentity }>(sql`
    select d.hash, json_agg(d.told) as facts, ${PROJECT_IDENTITY_SQL} as identity from fetched_facts d
    where d.hash = any (${[...hashes]}::text[]) group by d.hash, d.project_id`)
  return new Set(
    rows.flatMap(({ hash, facts, identity }) => (findDocumentIdentityMismatch(facts, identity) ? [hash] : [])),
  )
}
