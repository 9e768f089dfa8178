import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import {
  COMPANY_FIGURES_VERSION,
  type CompanyFactScope,
  isStatisticsScopeRestrictedToReport,
} from '#server/market/company/company-scope.ts'
import type { CompanyListScopeResult } from '#server/market/company/list-scope-cache.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import type { CompanyListScope, StoredCompanyList } from '#server/market/company/queries/stored-list.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant, usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { CachedCompanies } from './cached-companies.ts'
import {
  COMPANY_FACT_DECIDED_FLAG,
  type CompanyFactTable,
  getCompanyFactIndexes,
  getCompanyFactTableBytes,
} from './company-fact-columns.ts'
import { loadCompanyFactLookups } from './company-fact-lookups.ts'
import { loadCompanyNameIndex } from './company-name-index.ts'
import { loadCompanyFactFilter, passesCompanyFactFilter } from './count-companies.ts'
import { listCompaniesFromMemory } from './list-from-memory.ts'
import { loadAllCompanyFacts } from './load-all-company-facts.ts'
import { ReportCompanyFactCache } from './report-company-fact-cache.ts'

/** Maximum number of cached counts of public scopes. Each takes 80 bytes per company, 6 MB for a fiscal year. */
const MAX_CACHED_COUNTS = 4

/**
 * Pause after a reload, in multiples of its duration: while loads arrive one after another, reloading takes at most a
 * fifth of the time.
 */
const COOLDOWN_FACTOR = 4

type ScopeVersion = {
  readonly version: string | null
  readonly computed_at: string | null
  /** Last transaction that wrote the organisation's matches; null if none has since versions were introduced. */
  readonly matches: string | null
  readonly keywords: readonly number[] | null
}

async function readScopeVersion(db: Db, { search, organisationId }: CompanyFactScope): Promise<ScopeVersion> {
  const groups = search.keyword_group__in?.map(Number)
  const [row] = await db.query<ScopeVersion>(sql`
    select l.version, l.computed_at, (select v.version::text from match_versions v where v.organisation_id = ${organisationId}::int) as matches,
      case when ${groups !== undefined}::boolean then array(
        select k.id from keywords k where k.organisation_id = ${organisationId}::int and k.group_id = any (${groups ?? []}::int[]) order by k.id
      ) end as keywords
    from (
      select max(x.id)::text || ' ' || count(*)::text || ' ' || extract(epoch from max(x.published_at))::text as version, max(x.published_at) as computed_at
      from loads x where x.state = 'published' and x.companies_version = ${COMPANY_FIGURES_VERSION}::smallint
    ) l`)
  return row!
}

type CachedFacts = {
  readonly columns: CompanyFactTable
  readonly facts: readonly Int32Array[]
  readonly projectIdOf: (project: number) => string
}

/**
 * In-process cache of `company_projects` in typed arrays, so that lists and comparisons loop over arrays for any scope
 * and order. Each query first compares the database's version with the cache; on a mismatch SQL answers and the cache
 * reloads. The columns are public data; which projects an organisation watches is looked up by organisation id only.
 */
export class CompanyFactCache {
  readonly #db: Db
  readonly #maxBytes: number
  readonly #stopping = new AbortController()
  readonly #reportFacts = new ReportCompanyFactCache()
  #cached: CachedCompanies | undefined
  #reading: Promise<void> | undefined
  #cooldownUntil = 0
  #answered = { memory: 0, sql: 0 }

  constructor(db: Db, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#maxBytes = megabytes * 2 ** 20
  }

  get isLoaded(): boolean {
    return this.#cached !== undefined
  }

  get answered(): { readonly memory: number; readonly sql: number } {
    return { ...this.#answered }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.settled()
  }

  async load(): Promise<void> {
    this.#reading ??= runWithoutTenant(() => this.#read()).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async settled(): Promise<void> {
    await this.#reading?.catch(() => undefined)
  }

  async list(
    listScope: CompanyListScope,
  ): Promise<{ readonly list: StoredCompanyList; readonly scoped: CompanyListScopeResult } | undefined> {
    const page = usesDemoSchema() ? undefined : await this.#list(listScope)
    this.#answered[page ? 'memory' : 'sql'] += 1
    return page
  }

  async #list(listScope: CompanyListScope): ReturnType<CompanyFactCache['list']> {
    const cachedScope = await this.#scoped(this.#db, listScope)
    return cachedScope && listCompaniesFromMemory(this.#db, listScope, cachedScope)
  }

  /**
   * Returns the companies' facts in a scope; undefined when SQL must answer. `db`: the transaction in which the
   * response is computed.
   */
  async factsOf(
    db: Db,
    companyScope: CompanyFactScope & { readonly companyIds: readonly number[] },
  ): Promise<CachedFacts | undefined> {
    const cachedScope = usesDemoSchema() ? undefined : await this.#scoped(db, companyScope)
    this.#answered[cachedScope ? 'memory' : 'sql'] += 1
    if (!cachedScope) return undefined
    const { columns, kinds } = cachedScope.cached
    const filter = await loadCompanyFactFilter(db, companyScope.search, kinds)
    const facts = companyScope.companyIds.map((id) => {
      const company = columns.companyIds.indexOf(id)
      if (company === -1) return new Int32Array(0)
      return getCompanyFactIndexes(columns, cachedScope.reportFacts, company).filter((fact) =>
        passesCompanyFactFilter(columns, filter, fact),
      )
    })
    return { columns, facts, projectIdOf: (project) => decodeProjectKey(columns.projectKeys[project]!) }
  }

  async #scoped(db: Db, scope: CompanyFactScope) {
    const version = await readScopeVersion(db, scope)
    const companies = this.#currentAt(version)
    if (!companies) return undefined
    const reportFacts = isStatisticsScopeRestrictedToReport(scope.search)
      ? await this.#reportFacts.factsOf(
          db,
          scope,
          companies.columns,
          `${companies.version} ${version.matches} ${version.keywords}`,
        )
      : undefined
    return { cached: companies, reportFacts, computedAt: version.computed_at }
  }

  async allCompanies(
    db: Db,
  ): Promise<{ readonly cached: CachedCompanies; readonly computedAt: string | null } | undefined> {
    return usesDemoSchema() ? undefined : await this.#scoped(db, { search: {}, organisationId: 0 })
  }

  async similar(texts: readonly string[]): Promise<CompanyRef[] | undefined> {
    if (usesDemoSchema()) return undefined
    const companies = this.#currentAt(await readScopeVersion(this.#db, { search: {}, organisationId: 0 }))
    if (!companies) return undefined
    const ids = companies.names.similar(texts)
    const companiesById = await loadCompanyRefs(this.#db, ids)
    return ids.flatMap((id) => companiesById.get(id) ?? [])
  }

  #currentAt({ version }: ScopeVersion): CachedCompanies | undefined {
    if (version === null) return undefined
    if (this.#cached?.version === version) return this.#cached
    // Ignore a failed reload. If the database is unreachable, the next query reports that.
    if (performance.now() >= this.#cooldownUntil) this.load().catch(() => undefined)
    return undefined
  }

  async #read(): Promise<void> {
    const startedAt = performance.now()
    try {
      // Read the version first, so that a load published during the read makes the cache stale.
      const { version } = await readScopeVersion(this.#db, { search: {}, organisationId: 0 })
      const columns = await loadAllCompanyFacts(this.#db, { maxBytes: this.#maxBytes, signal: this.#stopping.signal })
      if (!columns || version === null) {
        this.#cached = undefined
        return
      }
      const names = await loadCompanyNameIndex(this.#db, columns.companyIds)
      const kinds = await loadCompanyFactLookups(this.#db)
      const fitsMemory = getCompanyFactTableBytes(columns) + names.usedBytes + kinds.memoryBytes <= this.#maxBytes
      this.#cached = fitsMemory
        ? {
            version,
            columns,
            names,
            kinds,
            years: yearsOf(columns),
            countsCache: new LRUCache({ max: MAX_CACHED_COUNTS }),
          }
        : undefined
      this.#reportFacts.clear()
    } finally {
      const endedAt = performance.now()
      this.#cooldownUntil = endedAt + (endedAt - startedAt) * COOLDOWN_FACTOR
    }
  }
}

function yearsOf({ size, year, flags }: CompanyFactTable): number[] {
  const years = new Set<number>()
  for (let fact = 0; fact < size; fact += 1)
    if ((flags[fact]! & COMPANY_FACT_DECIDED_FLAG) !== 0 && year[fact]! > 0) years.add(year[fact]!)
  return [...years].sort((a, b) => b - a)
}
