import sql, { empty } from 'sql-template-tag'
import { bothTabs } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { factBytes } from '#server/market/company/memory/fact-columns.ts'
import type { HeldCompanies } from '#server/market/company/memory/held-companies.ts'
import type { Awards, SpendingColumns, WinScope } from '#server/market/who-wins/awards.ts'
import { joinedSpending, readSpending, type SpendingSlice } from '#server/market/who-wins/read-spending.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { rowsAt } from '#server/report/memory/match-set.ts'
import type { ProjectColumns } from '#server/report/memory/project-columns.ts'
import { projectIdOf, projectKey } from '#server/report/memory/project-key.ts'
import type { Prepared, ReportMemory } from '#server/report/memory/report-memory.ts'

/**
 * Projects per statement: about 10 ms, during which the embedded database, a single session, blocks all other queries.
 */
const ROWS_A_STATEMENT = 10_000
/** Rows processed before yielding to the event loop: 3 to 5 ms of work each. */
const ROWS_A_TURN = 50_000
const CHOSEN_A_TURN = 500_000
/** While loads arrive one after another, reloading takes at most a fifth of the time. */
const REST_FACTOR = 4
/** Memory per decided project: its columns and its row. */
const BYTES_A_PROJECT = 22

type HeldAwards = {
  readonly companies: HeldCompanies
  readonly projects: ProjectColumns
  /** Report row of each fact's project and of each `spending` entry; -1: not in the report cache. */
  readonly factRow: Int32Array
  readonly spending: SpendingColumns
  readonly spendingRow: Int32Array
  readonly agencyCount: number
  /** Size of the report cache at load time, to detect projects added since. */
  readonly projectsKnown: number
  readonly knowsAll: boolean
}

type Parts = { readonly report: ReportMemory; readonly companies: CompanyMemory }

/**
 * Joins the in-process caches of report projects and companies: the first decides which rows match a search, the second
 * what was awarded in them. Also caches the spending of every decided project. Loaded on first use and again after a
 * load was counted.
 */
export class AwardMemory {
  readonly #db: Db
  readonly #parts: Parts
  readonly #mostBytes: number
  readonly #stopping = new AbortController()
  #held: HeldAwards | undefined
  /** Awards of all projects, which every agency page uses: 40 to 60 ms for 1.39 million projects, and 10 MB. */
  #ofAll: { readonly held: HeldAwards; readonly size: number; readonly awards: Awards } | undefined
  #reading: Promise<void> | undefined
  #restUntil = 0
  #answered = { memory: 0, sql: 0 }

  constructor(db: Db, parts: Parts, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#parts = parts
    this.#mostBytes = megabytes * 2 ** 20
  }

  get answered(): { readonly memory: number; readonly sql: number } {
    return { ...this.#answered }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#reading?.catch(() => undefined)
  }

  /**
   * Returns the awards of a search and a check that they are still current after counting; undefined when SQL must
   * answer.
   */
  async awardsOf(
    search: ReportSearch,
    scope: WinScope,
  ): Promise<{ readonly awards: Awards; readonly isStill: () => boolean } | undefined> {
    const found = scope.isSampleOnly ? undefined : await this.#find(search, scope)
    this.#answered[found ? 'memory' : 'sql'] += 1
    return found
  }

  async #find(search: ReportSearch, scope: WinScope) {
    const [prepared, whole] = await Promise.all([this.#prepare(search, scope), this.#parts.companies.whole(this.#db)])
    if (!prepared || !whole) return undefined
    const columns = prepared[0]!.question.columns
    const held = this.#held
    const isOfThese = held?.projects === columns && held.companies === whole.held
    if (!held || !isOfThese || (!held.knowsAll && held.projectsKnown !== columns.size)) {
      // If the database is unreachable, the next query reports it.
      if (performance.now() >= this.#restUntil) this.#readLater(columns, whole.held).catch(() => undefined)
      return undefined
    }
    const isStill = () => prepared.every((each) => each.isStill()) && this.#held === held
    const isOfAll = scope.isMarket && Object.keys(search).length === 0
    const known = this.#ofAll
    if (isOfAll && known?.held === held && known.size === columns.size)
      return { awards: { ...known.awards, computedAt: whole.computedAt }, isStill }
    const passing = new Uint8Array(columns.size)
    let count = 0
    for (const each of prepared) {
      const { passing: places } = await each.masks()
      const rows = rowsAt(each.question.tab, places)
      const wanted = scope.isMarket && search.is_archived ? 1 : undefined
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at]!
        if (wanted !== undefined && columns.kinds.isArchived[columns.kind[row]!] !== wanted) continue
        passing[row] = 1
        count += 1
      }
    }
    const awards: Awards = {
      found: count,
      columns: held.companies.columns,
      facts: await placesIn(held.factRow, passing),
      projectCount: held.companies.columns.projectCount,
      spending: held.spending,
      decided: await placesIn(held.spendingRow, passing),
      agencyOf: held.companies.kinds.departments,
      agencyCount: held.agencyCount,
      orderOfFact: (fact) => columns.keys[held.factRow[fact]!]!,
      idOfOrder: projectIdOf,
      idOfSpending: (place) => projectIdOf(columns.keys[held.spendingRow[place]!]!),
      foundOrders: () => columns.keys.filter((_, row) => passing[row] === 1),
      isFound: (id) => {
        const key = projectKey(id)
        const row = key === undefined ? undefined : columns.rowOf(key)
        return row !== undefined && passing[row] === 1
      },
      computedAt: whole.computedAt,
    }
    if (isOfAll) this.#ofAll = { held, size: columns.size, awards }
    return { awards, isStill }
  }

  /** Archived projects are included, because their winners count as well. */
  async #prepare(search: ReportSearch, scope: WinScope): Promise<Prepared[] | undefined> {
    const { report } = this.#parts
    if (scope.isMarket) {
      const prepared = await report.prepareMarket(search, scope)
      return prepared && [prepared]
    }
    return await report.prepareAll(bothTabs(search), scope)
  }

  /** For tests and benchmarks, which query only once. */
  async hold(organisationId: number, scope: WinScope): Promise<void> {
    await this.#parts.report.hold(organisationId)
    await this.#parts.companies.hold()
    const prepared = await this.#parts.report.prepareMarket({}, scope)
    const whole = await this.#parts.companies.whole(this.#db)
    if (prepared && whole) await this.#readLater(prepared.question.columns, whole.held)
  }

  async #readLater(projects: ProjectColumns, companies: HeldCompanies): Promise<void> {
    this.#reading ??= asOwner(() => this.#read(projects, companies)).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(projects: ProjectColumns, companies: HeldCompanies): Promise<void> {
    const startedAt = performance.now()
    try {
      this.#held = undefined
      this.#ofAll = undefined
      const slices: SpendingSlice[] = []
      const rows: Int32Array[] = []
      let [after, size] = ['', 0]
      for (;;) {
        this.#stopping.signal.throwIfAborted()
        const slice = await readSpending(
          this.#db,
          sql`select x.* from project_spending x ${after === '' ? empty : sql`where x.project_id > ${after}::text`}
            order by x.project_id limit ${ROWS_A_STATEMENT}::int`,
        )
        if (slice.size === 0) break
        after = slice.ids.at(-1)!
        rows.push(Int32Array.from(slice.ids, (id) => rowOfId(projects, id)))
        slices.push({ ...slice, ids: [] })
        size += slice.size
        if (factBytes(companies.columns) + size * BYTES_A_PROJECT > this.#mostBytes) return
        if (slice.size < ROWS_A_STATEMENT) break
        await yieldToEventLoop()
      }
      const spendingRow = new Int32Array(size)
      let at = 0
      for (const part of rows) {
        spendingRow.set(part, at)
        at += part.length
      }
      const projectsKnown = projects.size
      const factRow = await rowsOfFacts(projects, companies)
      this.#held = {
        companies,
        projects,
        projectsKnown,
        knowsAll: !factRow.includes(-1) && !spendingRow.includes(-1),
        factRow,
        spending: joinedSpending(slices),
        spendingRow,
        agencyCount: companies.kinds.departments.reduce((most, number) => Math.max(most, number), 0) + 1,
      }
    } finally {
      const endedAt = performance.now()
      this.#restUntil = endedAt + (endedAt - startedAt) * REST_FACTOR
    }
  }
}

function rowOfId(projects: ProjectColumns, id: string): number {
  const key = projectKey(id)
  return (key === undefined ? undefined : projects.rowOf(key)) ?? -1
}

async function rowsOfFacts(projects: ProjectColumns, { columns }: HeldCompanies): Promise<Int32Array> {
  const rowOf = new Int32Array(columns.projectCount)
  for (let project = 0; project < rowOf.length; project += 1) {
    rowOf[project] = projects.rowOf(columns.projectKeys[project]!) ?? -1
    if (project % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
  }
  return columns.project.map((project) => rowOf[project]!)
}

async function placesIn(rows: Int32Array, passing: Uint8Array): Promise<Int32Array> {
  const places = new Int32Array(rows.length)
  let size = 0
  for (let at = 0; at < rows.length; at += 1) {
    // Index -1 is undefined, so it never passes.
    if (passing[rows[at]!] === 1) places[size++] = at
    if (at % CHOSEN_A_TURN === CHOSEN_A_TURN - 1) await yieldToEventLoop()
  }
  return places.subarray(0, size)
}
