import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANIES_VERSION, type FactScope, isOfReport } from '#server/market/company/company-scope.ts'
import type { ScopeAnswer } from '#server/market/company/list-scope.ts'
import { loadCompanies } from '#server/market/company/queries/find.ts'
import type { ListScope, StoredList } from '#server/market/company/queries/list.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner, isApart } from '#server/platform/engine/tenant.ts'
import { projectIdOf } from '#server/report/memory/project-key.ts'
import { answerList } from './answer-list.ts'
import { readNames } from './company-names.ts'
import { isIn, readFilter } from './count-companies.ts'
import { type FactColumns, factBytes, factsOf, IS_DECIDED } from './fact-columns.ts'
import type { HeldCompanies } from './held-companies.ts'
import { readKinds } from './kinds.ts'
import { readFacts } from './read-facts.ts'
import { WatchSets } from './watch-sets.ts'

/** Cached counts of public scopes: each takes 80 bytes a company, 6 MB for a fiscal year. */
const MOST_COUNTED = 4

/** While loads arrive one after another, reloading takes at most a fifth of the time. */
const REST_FACTOR = 4

type ScopeStamp = {
  /** The counted loads; null before the first. */
  readonly version: string | null
  readonly computed_at: string | null
  /** The last transaction that wrote the organisation's matches; null: none since versions exist. */
  readonly matches: string | null
  /** Keywords of the requested groups; null without groups. */
  readonly keywords: readonly number[] | null
}

async function readStamp(db: Db, { search, organisationId }: FactScope): Promise<ScopeStamp> {
  const groups = search.keyword_group__in?.map(Number)
  const [stamp] = await db.query<ScopeStamp>(sql`
    select l.version, l.computed_at, (select v.version::text from match_versions v where v.organisation_id = ${organisationId}::int) as matches,
      case when ${groups !== undefined}::boolean then array(
        select k.id from keywords k where k.organisation_id = ${organisationId}::int and k.group_id = any (${groups ?? []}::int[]) order by k.id
      ) end as keywords
    from (
      select max(x.id)::text || ' ' || count(*)::text || ' ' || extract(epoch from max(x.published_at))::text as version, max(x.published_at) as computed_at
      from loads x where x.state = 'published' and x.companies_version = ${COMPANIES_VERSION}::smallint
    ) l`)
  return stamp!
}

type HeldFacts = {
  readonly columns: FactColumns
  readonly facts: readonly Int32Array[]
  readonly projectIdOf: (project: number) => string
}

/**
 * In-process cache of `company_projects` in typed arrays, so that lists and comparisons are loops over them for any
 * scope and order. Each query first compares the database's version with the cache; on a mismatch SQL answers and the
 * cache reloads. The columns are public data; which projects an organisation watches is looked up by organisation id
 * only.
 */
export class CompanyMemory {
  readonly #db: Db
  readonly #mostBytes: number
  readonly #stopping = new AbortController()
  readonly #watch = new WatchSets()
  #held: HeldCompanies | undefined
  #reading: Promise<void> | undefined
  #restUntil = 0
  #answered = { memory: 0, sql: 0 }

  constructor(db: Db, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#mostBytes = megabytes * 2 ** 20
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  get answered(): { readonly memory: number; readonly sql: number } {
    return { ...this.#answered }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#reading?.catch(() => undefined)
  }

  async hold(): Promise<void> {
    this.#reading ??= asOwner(() => this.#read()).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  /** Returns a page of companies and its scope; undefined when SQL must answer. */
  async list(asked: ListScope): Promise<{ readonly list: StoredList; readonly scoped: ScopeAnswer } | undefined> {
    const answer = asked.isSampleOnly || isApart() ? undefined : await this.#list(asked)
    this.#answered[answer ? 'memory' : 'sql'] += 1
    return answer
  }

  async #list(asked: ListScope): ReturnType<CompanyMemory['list']> {
    const found = await this.#scoped(this.#db, asked)
    return found && answerList(this.#db, asked, found)
  }

  /** Returns the companies' facts in a scope; undefined when SQL must answer. `db`: the transaction of the response. */
  async factsOf(db: Db, asked: FactScope & { readonly companyIds: readonly number[] }): Promise<HeldFacts | undefined> {
    const found = asked.isSampleOnly || isApart() ? undefined : await this.#scoped(db, asked)
    this.#answered[found ? 'memory' : 'sql'] += 1
    if (!found) return undefined
    const { columns, kinds } = found.held
    const filter = await readFilter(db, asked.search, kinds)
    const facts = asked.companyIds.map((id) => {
      const company = columns.companyIds.indexOf(id)
      if (company === -1) return new Int32Array(0)
      return factsOf(columns, found.watched, company).filter((fact) => isIn(columns, filter, fact))
    })
    return { columns, facts, projectIdOf: (project) => projectIdOf(columns.projectKeys[project]!) }
  }

  /** Returns the cache if it is current, with the report's facts when the scope needs them. */
  async #scoped(db: Db, asked: FactScope) {
    const stamp = await readStamp(db, asked)
    const held = this.#heldAt(stamp)
    if (!held) return undefined
    const watched = isOfReport(asked.search)
      ? await this.#watch.factsOf(db, asked, held.columns, `${held.version} ${stamp.matches} ${stamp.keywords}`)
      : undefined
    return { held, watched, computedAt: stamp.computed_at }
  }

  /** Returns the whole cache and its date; undefined when SQL must answer. */
  async whole(db: Db): Promise<{ readonly held: HeldCompanies; readonly computedAt: string | null } | undefined> {
    return isApart() ? undefined : await this.#scoped(db, { search: {}, organisationId: 0 })
  }

  /** Returns companies with similar names; undefined when SQL must answer. */
  async similar(texts: readonly string[]): Promise<CompanyRef[] | undefined> {
    if (isApart()) return undefined
    const held = this.#heldAt(await readStamp(this.#db, { search: {}, organisationId: 0 }))
    if (!held) return undefined
    const ids = held.names.similar(texts)
    const found = await loadCompanies(this.#db, ids)
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  #heldAt({ version }: ScopeStamp): HeldCompanies | undefined {
    if (version === null) return undefined
    if (this.#held?.version === version) return this.#held
    // If the database is unreachable, the next query reports it.
    if (performance.now() >= this.#restUntil) this.hold().catch(() => undefined)
    return undefined
  }

  async #read(): Promise<void> {
    const startedAt = performance.now()
    try {
      // Read the version first: a load counted during the read then makes the cache stale.
      const { version } = await readStamp(this.#db, { search: {}, organisationId: 0 })
      const columns = await readFacts(this.#db, { mostBytes: this.#mostBytes, signal: this.#stopping.signal })
      if (!columns || version === null) {
        this.#held = undefined
        return
      }
      const names = await readNames(this.#db, columns.companyIds)
      const kinds = await readKinds(this.#db)
      const isRoomy = factBytes(columns) + names.heldBytes + kinds.heldBytes <= this.#mostBytes
      this.#held = isRoomy
        ? { version, columns, names, kinds, years: yearsOf(columns), counted: new LRUCache({ max: MOST_COUNTED }) }
        : undefined
      this.#watch.clear()
    } finally {
      const endedAt = performance.now()
      this.#restUntil = endedAt + (endedAt - startedAt) * REST_FACTOR
    }
  }
}

function yearsOf({ size, year, flags }: FactColumns): number[] {
  const years = new Set<number>()
  for (let fact = 0; fact < size; fact += 1)
    if ((flags[fact]! & IS_DECIDED) !== 0 && year[fact]! > 0) years.add(year[fact]!)
  return [...years].sort((a, b) => b - a)
}
