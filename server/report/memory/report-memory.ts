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

/** How often projects are looked at without a question: what a load brought is then mostly there before the first one. */
const LOOK_EVERY_MS = 2_000
/** Projects, then matches; and once more where something was written meanwhile. */
const MOST_WAITS = 3

export type MemoryFigures = {
  readonly projects: number
  readonly organisations: number
  readonly bytes: number
  readonly answered: { readonly memory: number; readonly sql: number }
}

/** A question about one tab that the memory can answer, and how to see afterwards that it still could. */
export type Prepared = {
  readonly question: Question
  readonly held: HeldTab
  readonly standing: Standing
  /** With the counts of all marks: the same question about the matches of both tabs with a contract that ends soon. */
  readonly ending: Question | undefined
  /** What passes; looked at once for all who ask the same at the same moment. */
  masks(): Promise<FailureMasks>
  /** False when projects changed while it was being answered: the answer is of no moment then. */
  isStill(): boolean
}

const withoutEnds = ({ ends_within: _, ...search }: ReportSearch): ReportSearch => search

type PrepareOptions = { readonly marks?: WhichMarks; readonly among?: readonly string[] }

/** All that is held for a question, of one moment. */
type Held = { readonly projects: HeldProjects; readonly matches: HeldMatches; readonly standing: Standing }

/**
 * What this process holds of projects and matches. Every question begins with what stands in the database (`readStanding`): only what the memory
 * holds of exactly that moment answers it, so another process's load, list change or mark shows in the next answer. Whatever is not held is answered
 * by SQL, and read for the next question.
 *
 * Matches are reached through `prepareAll` alone, by the organisation of the scope.
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

  /** Reads projects now and whenever they change. `failed` is told once in a row. */
  start(failed: (error: unknown) => void): void {
    this.#schedule ??= repeatWork({ everyMs: LOOK_EVERY_MS, work: () => this.refresh(), failed })
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#schedule?.stop()
    await Promise.allSettled([this.#refreshing, this.#matches.settled()])
  }

  /** All projects are being read from the beginning, which takes longer while the database is busy. */
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

  /** Brings the columns up to date; resolves when they are, or cannot be held. */
  async refresh(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const before = this.#projects.held?.version
    // For all who ask, whatever time is left to the one who asked first.
    this.#refreshing ??= asOwner(() => withoutDeadline(() => this.#projects.refresh())).finally(() => {
      this.#refreshing = undefined
      if (this.#projects.held?.version !== before) this.#asked.clear()
      this.#matches.dropOthers(this.#projects.held)
    })
    await this.#refreshing
  }

  /** Brings the columns and one organisation's matches up to date: for tests and benches, which do not ask twice. */
  async hold(organisationId: number): Promise<void> {
    await this.refresh()
    if (this.#projects.held) await this.#matches.load(organisationId, this.#projects.held)
  }

  /** Counts an answer. */
  note(by: 'memory' | 'sql'): void {
    this.#answered[by] += 1
  }

  /** Undefined when SQL is to answer. `marks`: whether the counts of all marks are asked for. */
  async prepare(search: ReportSearch, scope: OpenedScope, marks: WhichMarks): Promise<Prepared | undefined> {
    return (await this.prepareAll([search], scope, { marks }))?.[0]
  }

  /** What one question of a screen begins with, for its scope; undefined when SQL is to answer. */
  async open(search: ReportSearch, asker: Asker, marks: WhichMarks, now: Date): Promise<Opening | undefined> {
    if (isApart() || !this.#projects.held) return undefined
    return await readOpening(this.#db, asker, kindsAsked([search], marks), now)
  }

  /** Several questions of one moment, in the order in which they are asked; `among` asks of these projects alone. */
  async prepareAll(
    searches: readonly ReportSearch[],
    scope: OpenedScope,
    { marks = 'asked', among }: PrepareOptions = {},
  ): Promise<Prepared[] | undefined> {
    // Held are the projects that customers see; the demo's, once they are set apart, are few.
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
   * A question about all projects that are held, whoever watches them. Its places are the rows themselves, delivered work among them; it knows of no marks and
   * no changes, so the search must ask of none.
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

  /** What is held of this moment. Where something was written, it is read now, and waited for a little while; undefined when that takes longer, or cannot be. */
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

  /** Reads what was written to projects; true when it is read within `PATIENCE_MS` of the beginning. The first reading is not waited for. */
  async #projectsCome(): Promise<boolean> {
    const isFirst = !this.#projects.held && this.#projects.movingSince === undefined
    const done = this.refresh()
    if (!isFirst) return await comesSoon(done, this.#projects.movingSince ?? performance.now())
    this.#readLater(() => done)
    return false
  }

  #readLater(work: () => Promise<void>): void {
    // A database that is away is told to whoever asks it next.
    work().catch(() => undefined)
  }
}
