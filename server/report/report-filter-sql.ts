import { LRUCache } from 'lru-cache'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { getFoldedPhrases } from '#contract/documents/document-search-expression.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import { loadDocumentsVersion, loadProjectIdsByDocumentPhrase } from '#server/documents/projects-by-phrase.ts'
import { toPackageProvinces } from '#server/matching/compile-match-rules.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { runAsTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { addSemanticSearchHits, type SemanticSearchCandidateFinder } from '#server/report/deep/run-deep-search.ts'
import type { DocumentSearchResults } from '#server/report/deep/semantic-search-hits.ts'
import { getEligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import { REPORT_FILTER_SET } from '#server/report/filter/report-filters.ts'
import { rankByFit } from '#server/report/fit/rank-by-fit.ts'
import { hiddenProjectIdsSql } from './match-sql.ts'
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
  readonly find?: SemanticSearchCandidateFinder
  readonly findFitCandidates?: () => readonly string[]
  readonly hasFacets?: boolean
}

/**
 * Adds to the scope what conditions need up front: semantic search results, the documents that contain the searched
 * words, the provinces of the package, the qualifications of the organisation and the order by fit. `find` searches the
 * names in memory instead of the database, `findFitCandidates` the projects to order by fit. `hasFacets` is true if the
 * facets are counted, which need both even without their filters.
 */
export async function resolveReportSearchScope(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  { find, findFitCandidates, hasFacets = false }: ResolveOptions = {},
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
    ? await rankByFit(db, requestScope, findFitCandidates)
    : undefined
  const scope = {
    ...requestScope,
    ...(documents && { documents }),
    ...(packageProvinces && { packageProvinces }),
    ...(eligibility && { eligibility }),
    ...(fit && { fit }),
  }
  return await addSemanticSearchHits(db, searches, scope, find)
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

export type ReportFilterCondition = {
  readonly name: ReportFilterName
  readonly readsText: boolean
  readonly isJoined: boolean
  /** A condition on `m` (`report_matches`) that is true or false, never null. */
  readonly sql: Sql
}

export function buildReportFilterConditions(search: ReportSearch, scope: ReportScope): ReportFilterCondition[] {
  return REPORT_FILTER_SET.getActiveFilters(search).flatMap(({ name, filter, value, isOnlyReasonForArchived }) => {
    const { readsText = false, isJoined = false } = filter
    const condition = { name, readsText, isJoined, sql: filter.condition(value, scope, search) }
    if (!isOnlyReasonForArchived) return [condition]
    // Makes delivered work fail twice, so no facet counts it as excluded by this filter alone.
    return [condition, { ...condition, sql: sql`(not m.is_archived or ${condition.sql})` }]
  })
}

export function joinFilterConditions(conditions: readonly ReportFilterCondition[]): Sql {
  return conditions.length === 0
    ? sql`true`
    : join(
        conditions.map((condition) => condition.sql),
        ' and ',
      )
}

/** Bigint with bit i set when condition i fails, because all filters together exceed 32 bits. */
export function failedFilterConditionsMaskSql(conditions: readonly ReportFilterCondition[]): Sql {
  if (conditions.length === 0) return sql`0::bigint`
  return join(
    conditions.map((condition, i) => sql`(case when ${condition.sql} then 0 else ${2 ** i}::bigint end)`),
    ' | ',
  )
}

export function removeSemanticSearchCondition(conditions: readonly ReportFilterCondition[]): ReportFilterCondition[] {
  return conditions.filter(({ isJoined }) => !isJoined)
}

export function organisationMatchCondition({ organisationId }: ReportScope, search: ReportSearch): Sql {
  const isArchived = getArchivedScope(search)
  return sql`m.organisation_id = ${organisationId}::int${isArchived === undefined ? empty : sql` and m.is_archived = ${isArchived}::boolean`}`
}

export function unhiddenMatchCondition(scope: ReportScope, search: ReportSearch): Sql {
  // PostgreSQL evaluates this subquery as a hash. If nothing is hidden, it costs a probe of an empty table per row.
  return sql`${organisationMatchCondition(scope, search)} and m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`
}

export function reportSearchCondition(scope: ReportScope, search: ReportSearch): Sql {
  return search.project_hidden ? organisationMatchCondition(scope, search) : unhiddenMatchCondition(scope, search)
}
