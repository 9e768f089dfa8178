import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { getFoldedPhrases } from '#contract/documents/document-search-expression.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import { loadDocumentsVersion, loadProjectIdsByDocumentPhrase } from '#server/documents/projects-by-phrase.ts'
import { toPackageProvinces } from '#server/matching/compile-match-rules.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { runAsTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { addSemanticSearchHits, type SemanticSearchSource } from '#server/report/deep/run-deep-search.ts'
import type { DocumentSearchResults } from '#server/report/deep/semantic-search-hits.ts'
import { getEligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import { type FitCandidateSource, rankByFit } from '#server/report/fit/rank-by-fit.ts'
import type { ReportScope } from './report-queries.ts'

/**
 * Maximum cached project ids of all organisations together, about 30 MB. Keyed by organisation, documents version and
 * phrase; a page, its facets and the next page reuse them.
 */
const MAX_CACHED_IDS = 400_000
/**
 * Maximum phrases per statement: saved filters may need hundreds of phrases at once, but a PostgreSQL function takes at
 * most 100 arguments.
 */
const PHRASES_PER_STATEMENT = 20
const documentCaches = new WeakMap<Db, LRUCache<string, readonly string[]>>()

type ResolveOptions = {
  readonly names?: SemanticSearchSource
  readonly fitCandidates?: FitCandidateSource
  readonly hasFacets?: boolean
}

/**
 * Adds to the scope what conditions need up front: semantic search results, the documents that contain the searched
 * words, the provinces of the package, the qualifications of the organisation and the order by fit. `names` and
 * `fitCandidates` are read from memory instead of the database. `hasFacets` is true if the facets are counted, which need
 * provinces and qualifications even without their filters.
 */
export async function resolveReportSearchScope(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  { names, fitCandidates, hasFacets = false }: ResolveOptions = {},
): Promise<ReportScope> {
  const documents = await findDocumentSearchResults(db, searches, requestScope)
  const needsPackage = hasFacets || searches.some((search) => search.project_package_province)
  const packageProvinces = needsPackage ? await loadPackageProvinces(db, requestScope.organisationId) : undefined
  const needsEligibility = hasFacets || searches.some((search) => search.project_eligibility__in)
  const { organisationId, today } = requestScope
  const eligibility = needsEligibility
    ? getEligibilityTable(await loadQualifications(db, organisationId), today)
    : undefined
  const fit = searches.some(({ ordering }) => ordering === FIT_ORDERING)
    ? await rankByFit(db, requestScope, fitCandidates)
    : undefined
  const scope = {
    ...requestScope,
    ...(documents && { documents }),
    ...(packageProvinces && { packageProvinces }),
    ...(eligibility && { eligibility }),
    ...(fit && { fit }),
  }
  return await addSemanticSearchHits(db, searches, scope, names)
}

async function loadPackageProvinces(db: Db, organisationId: number): Promise<ReadonlySet<number>> {
  const [organisation] = await db.query<{ areas: Readonly<Record<string, readonly string[]>> }>(
    sql`select o.areas_with_provinces as areas from organisations o where o.id = ${organisationId}::int`,
    { name: 'package_provinces' },
  )
  return toPackageProvinces(organisation?.areas ?? {})
}

async function findDocumentSearchResults(
  db: Db,
  searches: readonly ReportSearch[],
  { organisationId, userId }: Pick<ReportScope, 'organisationId' | 'userId'>,
): Promise<DocumentSearchResults | undefined> {
  const expressions = searches.flatMap((search) => search.document_text__in ?? [])
  const phrases = [
    ...new Set(expressions.flatMap((expression) => getFoldedPhrases(parseSearchExpressionOrThrow(expression)))),
  ]
  if (phrases.length === 0) return undefined
  // Jobs (exports, emails) run as superuser, but the document index requires a tenant (0025_documents.sql).
  return await runAsTenant({ organisationId, userId, isInDemoSchema: usesDemoSchema() }, async () => {
    const cache = documentCaches.get(db) ?? new LRUCache<string, readonly string[]>({ maxSize: MAX_CACHED_IDS })
    documentCaches.set(db, cache)
    const keyOf = (version: string, phrase: string) => JSON.stringify([organisationId, version, phrase])
    const currentVersion = await loadDocumentsVersion(db, organisationId)
    const projects = new Map<string, readonly string[]>()
    for (const phrase of phrases) {
      const ids = cache.get(keyOf(currentVersion, phrase))
      if (ids) projects.set(phrase, ids)
    }
    const missing = phrases.filter((phrase) => !projects.has(phrase))
    for (const phraseSlice of splitIntoSlices(missing, PHRASES_PER_STATEMENT)) {
      const { version, holders } = await loadProjectIdsByDocumentPhrase(db, organisationId, phraseSlice)
      for (const [i, phrase] of phraseSlice.entries()) {
        projects.set(phrase, holders[i]!)
        cache.set(keyOf(version, phrase), holders[i]!, { size: holders[i]!.length + 1 })
      }
    }
    return { projects }
  })
}
