import sql from 'sql-template-tag'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { loadTrustedDocumentFactNames } from './fact-checks.ts'
import {
  findDocumentIdentityMismatch,
  PROJECT_IDENTITY_SQL,
  type StoredDocumentIdentity,
} from './find-mismatched-documents.ts'
import { presentDocumentFacts } from './queries.ts'

type DocumentFacts = Pick<ProjectDocument, 'id' | 'project_id' | 'kind' | 'facts'>

export async function listVisibleDocumentFacts(
  db: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<DocumentFacts[]> {
  if (projectIds.length === 0) return []
  const documents = await db.query<DocumentFacts & { readonly identity: StoredDocumentIdentity }>(sql`
    select d.id, d.project_id, d.kind, d.facts, ${PROJECT_IDENTITY_SQL} as identity from documents d
    where d.organisation_id = ${organisationId}::int and d.project_id = any (${[...projectIds]}::text[]) order by d.id`)
  if (documents.length === 0) return []
  const trustedFacts = await loadTrustedDocumentFactNames(db)
  return documents.map(({ identity, ...document }) => ({
    ...document,
    facts: presentDocumentFacts(document.facts, findDocumentIdentityMismatch(document.facts, identity), trustedFacts),
  }))
}
