import sql, { empty } from 'sql-template-tag'
import { getActiveReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import type { CachedCompanies } from '#server/market/company/memory/cached-companies.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { getCompanyFactTableBytes } from '#server/market/company/memory/company-fact-columns.ts'
import type {
  AwardSet,
  PurchaseFilter,
  SearchAwardSet,
  SpendingColumns,
  WhoWinsScope,
} from '#server/market/who-wins/award-set.ts'
import { concatSpendingColumns, readSpending, type SpendingSlice } from '#server/market/who-wins/read-spending.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { decodeProjectKey, encodeProjectKey } from '#server/platform/text/project-key.ts'
import type { ReportMemory } from '#server/report/report-engine.ts'

/**
 * Projects per statement: about 10 ms, during which the embedded database (a single session) blocks all other queries.
 */
const ROWS_PER_STATEMENT = 10_000
/** Rows processed before yielding to the event loop: 3 to 5 ms of work each. */
const ROWS_PER_SLICE = 50_000
const FILTERED_ROWS_PER_SLICE = 500_000
/**
 * Pause after a reload, as a multiple of the reload's duration. While loads arrive one after another, reloading then
 * takes at most a fifth of the time.
 */
const COOLDOWN_FACTOR = 4
const BYTES_PER_PROJECT = 27

type ReportProjects = NonNullable<Awaited<ReturnType<ReportMemory['rows']>>>['projects']

type CachedAwards = {
  readonly companies: CachedCompanies
  readonly projects: ReportProjects
  /**
   * Row in the report cache of each fact's project and, in `spendingRow`, of each `spending` entry; -1 when the report
   * cache lacks the project.
   */
  readonly factRow: Int32Array
  readonly spending: SpendingColumns
  readonly spendingRow: Int32Array
  readonly factsByUnit: IndexesByUnit
  readonly spendingByUnit: IndexesByUnit
  readonly agencyCount: number
  /** Number of projects in the report cache at load time, to detect projects added since. */
  readonly reportSize: number
  readonly hasAllProjects: boolean
}

type CurrentAwards<Awards> = { readonly awards: Awards; readonly isCurrent: () => boolean }

type SourceCaches = { readonly report: ReportMemory; readonly companies: CompanyFactCache }

/**
 * Joins the in-process caches of report projects and companies: the first decides which rows match a search, the second
 * what was awarded in them. Also caches the spending of every decided project. Loads on first use and reloads after a
 * published load was counted.
 */
export class AwardCache {
  readonly #db: Db
  readonly #parts: SourceCaches
  readonly #maxBytes: number
  readonly #stopping = new AbortController()
  #cached: CachedAwards | undefined
  /**
   * Awards of all projects, cached because the first screen of the market uses them: computing them takes 40 to 60 ms
   * for 1.39 million projects, caching them 10 MB.
   */
  #allAwards: { readonly cached: CachedAwards; readonly size: number; readonly awards: SearchAwardSet } | undefined
  #reading: Promise<void> | undefined
  #cooldownUntil = 0
  #answered = { memory: 0, sql: 0 }

  constructor(db: Db, sources: SourceCaches, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#parts = sources
    this.#maxBytes = megabytes * 2 ** 20
  }

  get answered(): { readonly memory: number; readonly sql: number } {
    return { ...this.#answered }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#reading?.catch(() => undefined)
  }

  /**
   * Returns the awards that match a search, and `isCurrent`, which states after counting whether they still are.
   * Returns undefined if SQL must answer the search.
   */
  async awardsOf(search: ReportSearch, scope: WhoWinsScope): Promise<CurrentAwards<SearchAwardSet> | undefined> {
    const result = await this.#find(search, scope)
    this.#answered[result ? 'memory' : 'sql'] += 1
    return result
  }

  /** Like `awardsOf`, but reads only the awards of the filtered purchasing units, through their index. */
  async purchaseAwardsOf(purchases: PurchaseFilter, scope: WhoWinsScope): Promise<CurrentAwards<AwardSet> | undefined> {
    const current = await this.#open({}, scope)
    this.#answered[current ? 'memory' : 'sql'] += 1
    if (!current) return undefined
    const { cached, selected, isCurrent } = current
    const { columns } = cached.companies
    const { passing } = scope.isMarket ? { passing: undefined } : await selected.flagRows()
    const select = (rows: Int32Array, indexes: IndexesByUnit, years: Int16Array) =>
      selectPurchases(indexes, purchases, (at) => {
        const row = rows[at]!
        return (passing ? passing[row] === 1 : row !== -1) && isRequestedYear(years[at]!, purchases)
      })
    const facts = select(cached.factRow, cached.factsByUnit, columns.year)
    const decided = select(cached.spendingRow, cached.spendingByUnit, cached.spending.year)
    return { awards: toAwardSet(current, facts, decided), isCurrent }
  }

  async #open(search: ReportSearch, scope: WhoWinsScope) {
    const [selected, companyData] = await Promise.all([
      this.#parts.report.rows(search, scope),
      this.#parts.companies.allCompanies(this.#db),
    ])
    if (!selected || !companyData) return undefined
    const { projects } = selected
    const cached = this.#cached
    const isOfThese = cached?.projects === projects && cached.companies === companyData.cached
    if (!cached || !isOfThese || (!cached.hasAllProjects && cached.reportSize !== projects.size)) {
      // Ignore a failed reload: if the database is unreachable, the next query reports that.
      if (performance.now() >= this.#cooldownUntil) this.#readLater(projects, companyData.cached).catch(() => undefined)
      return undefined
    }
    const isCurrent = () => selected.isCurrent() && this.#cached === cached
    return { cached, selected, computedAt: companyData.computedAt, isCurrent }
  }

  async #find(search: ReportSearch, scope: WhoWinsScope): Promise<CurrentAwards<SearchAwardSet> | undefined> {
    const current = await this.#open(search, scope)
    if (!current) return undefined
    const { cached, selected, computedAt, isCurrent } = current
    const { projects } = cached
    const isOfAll = scope.isMarket && !search.is_archived && getActiveReportFilters(search).length === 0
    const cachedAll = this.#allAwards
    if (isOfAll && cachedAll?.cached === cached && cachedAll.size === projects.size)
      return { awards: { ...cachedAll.awards, computedAt }, isCurrent }
    const { passing, count } = await selected.flagRows()
    const facts = await passingIndexes(cached.factRow, passing)
    const decided = await passingIndexes(cached.spendingRow, passing)
    const awards: SearchAwardSet = {
      ...toAwardSet(current, facts, decided),
      found: count,
      matchedOrders: () => keysOfPassingRows(projects.keys, passing, count),
      isMatched: (id) => {
        const key = encodeProjectKey(id)
        const row = key === undefined ? undefined : projects.rowOf(key)
        return row !== undefined && passing[row] === 1
      },
    }
    if (isOfAll && isCurrent()) this.#allAwards = { cached, size: projects.size, awards }
    return { awards, isCurrent }
  }

  async load(organisationId: number, scope: WhoWinsScope): Promise<void> {
    await this.#parts.report.load([organisationId])
    await this.#parts.companies.load()
    const selected = await this.#parts.report.rows({}, { ...scope, isMarket: true })
    const companyData = await this.#parts.companies.allCompanies(this.#db)
    if (selected && companyData) await this.#readLater(selected.projects, companyData.cached)
  }

  /** Loads companies and awards if they are stale, waits for both and returns the awards of the scope. */
  async preload(scope: WhoWinsScope): Promise<SearchAwardSet | undefined> {
    if (!(await this.#find({}, scope))) await this.#parts.companies.settled()
    if (!(await this.#find({}, scope))) await this.#reading
    return (await this.#find({}, scope))?.awards
  }

  async #readLater(projects: ReportProjects, companies: CachedCompanies): Promise<void> {
    this.#reading ??= runWithoutTenant(() => this.#read(projects, companies)).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(projects: ReportProjects, companies: CachedCompanies): Promise<void> {
    const startedAt = performance.now()
    try {
      this.#cached = undefined
      this.#allAwards = undefined
      const slices: SpendingSlice[] = []
      const rows: Int32Array[] = []
      let [lastId, size] = ['', 0]
      for (;;) {
        this.#stopping.signal.throwIfAborted()
        const slice = await readSpending(
          this.#db,
          sql`select x.* from project_spending x ${lastId === '' ? empty : sql`where x.project_id > ${lastId}::text`}
            order by x.project_id limit ${ROWS_PER_STATEMENT}::int`,
        )
        if (slice.size === 0) break
        lastId = slice.ids.at(-1)!
        rows.push(Int32Array.from(slice.ids, (id) => rowOfId(projects, id)))
        slices.push({ ...slice, ids: [] })
        size += slice.size
        if (getCompanyFactTableBytes(companies.columns) + size * BYTES_PER_PROJECT > this.#maxBytes) return
        if (slice.size < ROWS_PER_STATEMENT) break
        await yieldToEventLoop()
      }
      const spendingRow = new Int32Array(size)
      let at = 0
      for (const rowSlice of rows) {
        spendingRow.set(rowSlice, at)
        at += rowSlice.length
      }
      const reportSize = projects.size
      const factRow = await rowsOfFacts(projects, companies)
      const spending = concatSpendingColumns(slices)
      const { departments } = companies.kinds
      this.#cached = {
        companies,
        projects,
        reportSize,
        hasAllProjects: !factRow.includes(-1) && !spendingRow.includes(-1),
        factRow,
        spending,
        spendingRow,
        factsByUnit: groupByUnit(companies.columns.department, departments.length),
        spendingByUnit: groupByUnit(spending.department, departments.length),
        agencyCount: departments.reduce((maxNumber, number) => Math.max(maxNumber, number), 0) + 1,
      }
    } finally {
      const endedAt = performance.now()
      this.#cooldownUntil = endedAt + (endedAt - startedAt) * COOLDOWN_FACTOR
    }
  }
}

function toAwardSet(
  { cached, computedAt }: { readonly cached: CachedAwards; readonly computedAt: string | null },
  facts: Int32Array,
  decided: Int32Array,
): AwardSet {
  const { companies, projects, factRow, spending, spendingRow, agencyCount } = cached
  return {
    columns: companies.columns,
    facts,
    projectCount: companies.columns.projectCount,
    spending,
    decided,
    agencyOf: companies.kinds.departments,
    agencyCount,
    orderOfFact: (fact) => projects.keys[factRow[fact]!]!,
    idOfOrder: decodeProjectKey,
    orderOfId: encodeProjectKey,
    idOfSpending: (spendingIndex) => decodeProjectKey(projects.keys[spendingRow[spendingIndex]!]!),
    computedAt,
  }
}

/** Indexes grouped by purchasing unit: those of unit `u` are `indexes` from `starts[u]` up to `starts[u + 1]`, ascending. */
type IndexesByUnit = { readonly starts: Int32Array; readonly indexes: Int32Array }

function groupByUnit(units: Int32Array, unitCount: number): IndexesByUnit {
  const starts = new Int32Array(unitCount + 1)
  for (const unit of units) starts[unit + 1] = starts[unit + 1]! + 1
  for (let unit = 0; unit < unitCount; unit += 1) starts[unit + 1] = starts[unit + 1]! + starts[unit]!
  const next = starts.slice()
  const indexes = new Int32Array(units.length)
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index]!
    indexes[next[unit]!] = index
    next[unit] = next[unit]! + 1
  }
  return { starts, indexes }
}

function selectPurchases(
  { starts, indexes }: IndexesByUnit,
  { units }: PurchaseFilter,
  accepts: (index: number) => boolean,
): Int32Array {
  return Int32Array.from(
    units.flatMap((unit) => [...indexes.subarray(starts[unit] ?? 0, starts[unit + 1] ?? 0)].filter(accepts)),
  ).sort((a, b) => a - b)
}

/** Without year limits, accepts purchases whose year is unknown (0). */
const isRequestedYear = (year: number, { yearFrom, yearTo }: PurchaseFilter) =>
  (yearFrom === undefined && yearTo === undefined) || (year > 0 && year >= (yearFrom ?? 1) && year <= (yearTo ?? year))

function rowOfId(projects: ReportProjects, id: string): number {
  const key = encodeProjectKey(id)
  return (key === undefined ? undefined : projects.rowOf(key)) ?? -1
}

async function rowsOfFacts(projects: ReportProjects, { columns }: CachedCompanies): Promise<Int32Array> {
  const rowOf = new Int32Array(columns.projectCount)
  for (let project = 0; project < rowOf.length; project += 1) {
    rowOf[project] = projects.rowOf(columns.projectKeys[project]!) ?? -1
    if (project % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
  }
  return columns.project.map((project) => rowOf[project]!)
}

function keysOfPassingRows(keys: Float64Array, passing: Uint8Array, count: number): Float64Array {
  const passingKeys = new Float64Array(count)
  let size = 0
  for (let row = 0; row < passing.length; row += 1) if (passing[row] === 1) passingKeys[size++] = keys[row]!
  return passingKeys.subarray(0, size)
}

async function passingIndexes(rows: Int32Array, passing: Uint8Array): Promise<Int32Array> {
  const indexes = new Int32Array(rows.length)
  let size = 0
  for (let from = 0; from < rows.length; from += FILTERED_ROWS_PER_SLICE) {
    size = addPassing(indexes, size, { rows, passing, from })
    await yieldToEventLoop()
  }
  return indexes.subarray(0, size)
}

/** Adds 0 or 1 instead of branching, because the processor mispredicts which projects pass. */
function addPassing(
  indexes: Int32Array,
  sizeBefore: number,
  { rows, passing, from }: { readonly rows: Int32Array; readonly passing: Uint8Array; readonly from: number },
): number {
  const to = Math.min(from + FILTERED_ROWS_PER_SLICE, rows.length)
  let size = sizeBefore
  for (let at = from; at < to; at += 1) {
    indexes[size] = at
    // For a project outside the report cache (row -1), `passing[-1]` is undefined, so the project never passes.
    size += Number(passing[rows[at]!] === 1)
  }
  return size
}
