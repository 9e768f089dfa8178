import sql from 'sql-template-tag'
import { type DocumentComparison, MOST_DIFFERENCES, predecessorOf } from '#contract/document/document-comparison.ts'
import type { ProjectDocument } from '#contract/document/project-document.ts'
import type { Db } from '#server/engine/db.ts'
import { compareFacts } from './compare-facts.ts'
import { compareTexts } from './compare-texts.ts'

async function loadPages(db: Db, organisationId: number, id: string): Promise<string[]> {
  const rows = await db.query<{ text: string }>(sql`
    select text from document_pages where organisation_id = ${organisationId}::int and document_id = ${id} order by page`)
  return rows.map(({ text }) => text)
}

/** What is different between two of the organisation's documents; both have text. 30 pages take some 30 ms. */
export async function compareDocuments(
  db: Db,
  organisationId: number,
  { before, after }: { readonly before: ProjectDocument; readonly after: ProjectDocument },
): Promise<DocumentComparison> {
  const side = ({ id, name, kind, added_at }: ProjectDocument) => ({ id, name, kind, added_at })
  const old = await loadPages(db, organisationId, before.id)
  const now = await loadPages(db, organisationId, after.id)
  const { outcome, clauses, differences } = await compareTexts(old, now)
  return {
    before: side(before),
    after: side(after),
    outcome,
    clauses,
    facts: compareFacts(before.facts, after.facts),
    differences: differences.slice(0, MOST_DIFFERENCES),
    total: differences.length,
  }
}

/** What `notifyDocumentCompared` tells. */
type NewVersion = {
  readonly id: string
  readonly organisationId: number
  readonly projectId: string
  /** Clauses that are others than in the document before it. */
  readonly changes: number
}

type Candidate = Pick<ProjectDocument, 'id' | 'kind' | 'state' | 'added_at'> & { readonly project_id: string }

/**
 * A document that was just read beside the one that it follows in its project: its draft, or the file before it. Undefined where there is none, where it is itself
 * the older one, or where nothing is different. For jobs, after the reading was stored.
 */
export async function findChanges(
  db: Db,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
): Promise<NewVersion | undefined> {
  const rows = await db.query<Candidate>(sql`
    select o.id, o.kind, o.state, to_char(o.added_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US') as added_at, o.project_id
    from documents d join documents o on o.organisation_id = d.organisation_id and o.project_id = d.project_id
    where d.id = ${id} and d.organisation_id = ${organisationId}::int and o.state = 'read'`)
  const own = rows.find((one) => one.id === id)
  const before = own && predecessorOf(own, rows)
  if (!before) return undefined
  const pages = [await loadPages(db, organisationId, before.id), await loadPages(db, organisationId, id)] as const
  const { outcome, differences } = await compareTexts(...pages)
  if (outcome !== 'compared' || differences.length === 0) return undefined
  return { id, organisationId, projectId: own.project_id, changes: differences.length }
}
