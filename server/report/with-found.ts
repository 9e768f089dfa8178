import { LRUCache } from 'lru-cache'
import { phrasesIn } from '#contract/documents/document-words.ts'
import { acceptedNode } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { readDocumentsVersion, readHolders } from '#server/documents/queries-holders.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import { asTenant, isApart } from '#server/platform/engine/tenant.ts'
import type { DocumentHolders } from './deep/deep-hits.ts'
import { type FindCandidates, withDeepSearch } from './deep/deep-search.ts'
import type { TabScope } from './filter-sql.ts'

/** Ids kept of all organisations, by organisation, documents and phrase; some 30 MB. The page, its facets and the next page ask for the same. */
const KEPT_IDS = 400_000
/** Saved filters may ask for hundreds at once; a function of PostgreSQL takes 100 arguments. */
const PHRASES_A_STATEMENT = 20
const keptOf = new WeakMap<Db, LRUCache<string, readonly string[]>>()

/**
 * Adds to the scope what the conditions need and must be read first: the projects that a search by meaning finds, and the documents that hold the
 * words. `find`: looks for names in memory in place of the database.
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

/** Undefined when no search looks into documents. All of the organisation's documents are looked through, however many they are. */
export async function findDocumentHolders(
  db: Db,
  searches: readonly ReportSearch[],
  { organisationId, userId }: Pick<TabScope, 'organisationId' | 'userId'>,
): Promise<DocumentHolders | undefined> {
  const expressions = searches.flatMap((search) => search.document_text__in ?? [])
  const phrases = [...new Set(expressions.flatMap((expression) => phrasesIn(acceptedNode(expression))))]
  if (phrases.length === 0) return undefined
  // Jobs (files, mails) are the owner, and the index is asked in the name of an organisation (0025_documents.sql).
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
    // Several where something was written in between: what is kept by them is then asked for by nobody again.
    return { version: [...versions].join(), projects }
  })
}
