import { MOST_DAYS_COUNTED } from '#contract/catalogue/contract-end.ts'
import { archivedAsked } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { asOwner, isApart } from '#server/platform/engine/tenant.ts'
import { repeatWork, type Schedule } from '#server/platform/queue/repeat-work.ts'
import type { FindCandidates } from '#server/report/deep/deep-search.ts'
import { packedDay } from '#server/report/packed-row.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { withFound } from '#server/report/with-found.ts'
import { AskedLast } from './asked-last.ts'
import { type FailureMasks, failureMasks } from './failure-masks.ts'
import { type HeldMatches, type HeldTab, partOf, wholeOf } from './held-matches.ts'
import { type HeldProjects, ProjectsInMemory } from './held-projects.ts'
import { KeptMarks, kindsAsked, type MarkKind, NO_PLACES, type WhichMarks } from './kept-marks.ts'
import { asksPursuits, KeptPursuits } from './kept-pursuits.ts'
import { comesSoon, MatchesInMemory } from './matches-in-memory.ts'
import { candidatesIn } from './meant.ts'
import { type Question, questionOf } from './question.ts'
import { type Asker, type OpenedScope, type Opening, readOpening, readStanding, type Standing } from './standing.ts'

/** Poll interval for changed projects, so that a load is usually applied before the first query. */
const LOOK_EVERY_MS = 2_000
/** One wait for projects, one for matches, and one retry if data changed meanwhile. */
const MOST_WAITS = 3

export type MemoryFigures = {
  readonly projects: number
  readonly organisations: number
  readonly bytes: number
  readonly answered: { readonly memory: number; readonly sql: number }
}

export type Prepared = {
  readonly question: Question
  readonly held: HeldTab
  readonly standing: Standing
  /**
   * Set when the counts of all marks are requested: the same query over matches of both tabs whose contracts end soon.
   */
  readonly ending: Question | undefined
  masks(): Promise<FailureMasks>
  /** False if projects changed since the query was prepared; its result then matches no snapshot. */
  isStill(): boolean
}

const withoutEnds = ({ ends_within: _, ...search }: ReportSearch): ReportSearch => search

type PrepareOptions = { readonly marks?: WhichMarks; readonly among?: readonly string[] }

type Held = { readonly projects: HeldProjects; readonly matches: HeldMatches; readonly standing: Standing }

/**
 * In-process cache of projects and matches. Each query first reads the database's snapshot version (`readStanding`);
 * memory answers only if it has exactly that snapshot, so another process's load, list change or mark shows in the next
 * response. Otherwise SQL answers and the cache reloads for the next query.
 *
 * Access to matches goes through `prepareAll` only, which uses the organisation of the scope.
 */
export class ReportMemory {
  readonly #db: Db
  readonly #mostBytes: number
  readonly #stopping = new AbortController()
  readonly #projects: ProjectsInMemory
  readonly #marks: KeptMarks
  readonly #pursuits: KeptPursuits
  readonly #asked = new AskedLast()
  readonly #matches: MatchesInMemory
  #refreshing: Promise<void> | undefined
  #schedule: Schedule | undefined
  #answered = { memory: 0, sql: 0 }

  constructor(db: Db, { megabytes }: { readonly megabytes: number }) {
    this.#db = db
    this.#mostBytes = megabytes * 2 ** 20
    this.#marks = new KeptMarks(db)
    this.#pursuits = new KeptPursuits(db)
    this.#projects = new ProjectsInMemory(db, { mostBytes: this.#mostBytes, signal: this.#stopping.signal })
    const othersBytes = () =>
      this.#projects.heldBytes + this.#marks.heldBytes + this.#pursuits.heldBytes + this.#asked.heldBytes
    this.#matches = new MatchesInMemory(db, { mostBytes: this.#mostBytes, othersBytes, signal: this.#stopping.signal })
  }

  /** Loads projects now and on every change. `failed` is called once per streak of failures. */
  start(failed: (error: unknown) => void): void {
    this.#schedule ??= repeatWork({ everyMs: LOOK_EVERY_MS, work: () => this.refresh(), failed })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#schedule?.stop()
    await Promise.allSettled([this.#refreshing, this.#matches.settled()])
  }

  /** True during a full read, which takes longer while the database is busy. */
  get isReadingAll(): boolean {
    return this.#projects.isReadingAll
  }

  figures(): MemoryFigures {
    return {
      projects: this.#projects.held?.columns.size ?? 0,
      organisations: this.#matches.size,
      bytes: this.#matches.allBytes,
      answered: { ...this.#answered },
    }
  }

  /** Updates the columns. Resolves when they are current or do not fit in memory. */
  async refresh(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const before = this.#projects.held?.version
    // Shared by all waiting queries, so detached from the first caller's tenant and deadline.
    this.#refreshing ??= asOwner(() => withoutDeadline(() => this.#projects.refresh())).finally(() => {
      this.#refreshing = undefined
      if (this.#projects.held?.version !== before) this.#asked.clear()
      this.#matches.dropOthers(this.#projects.held)
    })
    await this.#refreshing
  }

  /** Loads the columns and one organisation's matches: for tests and benchmarks, which query only once. */
  async hold(organisationId: number): Promise<void> {
    await this.refresh()
    if (this.#projects.held) await this.#matches.load(organisationId, this.#projects.held)
  }

  note(by: 'memory' | 'sql'): void {
    this.#answered[by] += 1
  }

  /** Undefined means fall back to SQL. `marks` is 'all' if the counts of all marks are needed. */
  async prepare(search: ReportSearch, scope: OpenedScope, marks: WhichMarks): Promise<Prepared | undefined> {
    return (await this.prepareAll([search], scope, { marks }))?.[0]
  }

  /** Reads snapshot version and visit for one query of a screen; undefined means fall back to SQL. */
  async open(search: ReportSearch, asker: Asker, marks: WhichMarks, now: Date): Promise<Opening | undefined> {
    if (isApart() || !this.#projects.held) return undefined
    return await readOpening(this.#db, asker, kindsAsked([search], marks), now)
  }

  /** Prepares several queries on one snapshot, in the given order. `among` restricts them to these projects. */
  async prepareAll(
    searches: readonly ReportSearch[],
    scope: OpenedScope,
    { marks = 'asked', among }: PrepareOptions = {},
  ): Promise<Prepared[] | undefined> {
    // Memory contains the customers' projects; the separate demo schema is small and uses SQL.
    if (isApart()) return undefined
    const present = await this.#holdNow(scope, kindsAsked(searches, marks))
    if (!present) return undefined
    const { projects, matches, standing } = present
    const { organisationId } = scope
    const moment = { projects: projects.version, latest: standing.latest, today: packedDay(scope.today) }
    const find: FindCandidates = (needles) => candidatesIn(projects, matches.tabAt(moment, undefined).tab)(needles)
    const { documents, deep } = await withFound(this.#db, searches, scope, find)
    const tabs = new Map<boolean | undefined, HeldTab>()
    const prepared: Prepared[] = []
    const ask = async (search: ReportSearch, held: HeldTab) => {
      const at = { held, columns: projects.columns }
      const places = await this.#marks.find(scope.userId, standing.marks, at)
      const isAsked = marks === 'all' || asksPursuits(search)
      const pursued = isAsked ? await this.#pursuits.find(organisationId, standing.board, at) : []
      return places && pursued && questionOf(search, scope, { projects, held, places, pursued, documents, deep })
    }
    for (const search of searches) {
      const isArchived = archivedAsked(search)
      const whole = matches.tabAt(moment, isArchived)
      const held = tabs.get(isArchived) ?? (among ? partOf(whole, projects.columns, moment, among) : whole)
      tabs.set(isArchived, held)
      const question = await ask(search, held)
      const soon = marks === 'all' ? matches.endingAt(moment, MOST_DAYS_COUNTED) : undefined
      const ending = soon && (await ask(withoutEnds(search), soon))
      if (!question || (soon && !ending)) return undefined
      const each: Prepared = {
        held,
        standing,
        question,
        ending,
        masks: () => (among ? failureMasks(question) : this.#asked.masksOf(each, scope)),
        isStill: () => this.#projects.held === projects,
      }
      prepared.push(each)
    }
    return prepared
  }

  /**
   * Prepares a query over all projects in memory, regardless of matches. Places equal rows and archived work is
   * included. There are no marks or changes, so the search must not filter by them.
   */
  async prepareMarket(search: ReportSearch, scope: ReportScope): Promise<Prepared | undefined> {
    if (search.ai_deep_search__in || isApart()) return undefined
    const projects = this.#projects.held
    const standing = projects && (await readStanding(this.#db, scope, new Set()))
    if (!projects || standing?.projects !== projects.version || this.#projects.held !== projects) {
      this.#readLater(() => this.refresh())
      return undefined
    }
    const held = wholeOf(projects)
    const parts = { projects, held, places: NO_PLACES, pursued: [], documents: undefined, deep: undefined }
    const question = questionOf(search, { ...scope, visit: undefined }, parts)
    return {
      held,
      standing,
      question,
      ending: undefined,
      masks: () => failureMasks(question),
      isStill: () => this.#projects.held === projects,
    }
  }

  /**
   * Returns data matching the current snapshot. If it is stale, reloads and waits briefly; undefined if that takes too
   * long or does not fit.
   */
  async #holdNow(scope: OpenedScope, marks: ReadonlySet<MarkKind>): Promise<Held | undefined> {
    let { standing } = scope
    for (let waits = 0; waits <= MOST_WAITS; waits += 1) {
      const projects = this.#projects.held
      standing = projects && (standing ?? (await readStanding(this.#db, scope, marks)))
      if (projects && standing?.projects === projects.version && this.#projects.held === projects) {
        const matches = this.#matches.at(scope.organisationId, projects, standing.matches)
        if (matches) return { projects, matches, standing }
        if (!(await this.#matches.come(scope.organisationId, projects, standing.matches))) return undefined
      } else if (!(await this.#projectsCome())) return undefined
      standing = undefined
    }
    return undefined
  }

  /** Applies new loads; true if done within `PATIENCE_MS` of the start. Does not wait for the initial read. */
  async #projectsCome(): Promise<boolean> {
    const isFirst = !this.#projects.held && this.#projects.movingSince === undefined
    const done = this.refresh()
    if (!isFirst) return await comesSoon(done, this.#projects.movingSince ?? performance.now())
    this.#readLater(() => done)
    return false
  }

  #readLater(work: () => Promise<void>): void {
    // A database failure surfaces in the next query.
    work().catch(() => undefined)
  }
}
