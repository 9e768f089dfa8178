import { LRUCache } from 'lru-cache'
import { phrasesIn } from '#contract/documents/document-words.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { readDocumentsVersion, readHolders } from '#server/documents/document-holders.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import { asTenant, isApart } from '#server/platform/engine/tenant.ts'
import type { DocumentHolders } from './deep/deep-hits.ts'
import { type FindCandidates, withDeepSearch } from './deep/deep-search.ts'
import type { TabScope } from './filter-sql.ts'

/**
 * Cached ids over all organisations, by organisation, documents version and phrase; about 30 MB. Page, facets and the
 * next page reuse them.
 */
const KEPT_IDS = 400_000
/** Saved filters may need hundreds at once; a PostgreSQL function takes at most 100 arguments. */
const PHRASES_A_STATEMENT = 20
const keptOf = new WeakMap<Db, LRUCache<string, readonly string[]>>()

/**
 * Adds to the scope what conditions need up front: semantic search results and documents containing the words. `find`
 * searches names in memory instead of the database.
 */
export async function withFound(
  db: Db,
  searches: readonly ReportSearch[],
  scope: TabScope,
  find?: FindCandidates,
): Promise<TabScope> {
  const documents = await findDocumentHolders(db, searches, scope)
  return await withDeepSearch(db, searches, documents ? { ...scope, documents } : scope, find)
}

/** Undefined if no search uses document text. Searches all documents of the organisation, without a limit. */
export async function findDocumentHolders(
  db: Db,
  searches: readonly ReportSearch[],
  { organisationId, userId }: Pick<TabScope, 'organisationId' | 'userId'>,
): Promise<DocumentHolders | undefined> {
  const expressions = searches.flatMap((search) => search.document_text__in ?? [])
  const phrases = [...new Set(expressions.flatMap((expression) => phrasesIn(acceptedNode(expression))))]
  if (phrases.length === 0) return undefined
  // Jobs (files, mails) run as superuser, but the index requires a tenant (0025_documents.sql).
  return await asTenant({ organisationId, userId, isApart: isApart() }, async () => {
    const kept = keptOf.get(db) ?? new LRUCache<string, readonly string[]>({ maxSize: KEPT_IDS })
    keptOf.set(db, kept)
    const keyOf = (version: string, phrase: string) => JSON.stringify([organisationId, version, phrase])
    const versions = new Set([await readDocumentsVersion(db, organisationId)])
    const projects = new Map<string, readonly string[]>()
    const [known] = versions
    for (const phrase of phrases) {
      const ids = kept.get(keyOf(known!, phrase))
      if (ids) projects.set(phrase, ids)
    }
    const missing = phrases.filter((phrase) => !projects.has(phrase))
    for (const asked of slicesOf(missing, PHRASES_A_STATEMENT)) {
      const { version, holders } = await readHolders(db, organisationId, asked)
      versions.add(version)
      for (const [i, phrase] of asked.entries()) {
        projects.set(phrase, holders[i]!)
        kept.set(keyOf(version, phrase), holders[i]!, { size: holders[i]!.length + 1 })
      }
    }
    // Several versions if documents changed meanwhile; results cached under this combined version are never reused.
    return { version: [...versions].join(), projects }
  })
}
