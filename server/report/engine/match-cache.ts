import { LRUCache } from 'lru-cache'
import sql, { empty } from 'sql-template-tag'
import { MAX_CONTRACT_END_COUNT_DAYS } from '#contract/catalogue/contract-end.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline, yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { markMemoryCacheColumnsSql, matchVersionSql, pursuitMemoryCacheColumnsSql } from '#server/report/match-sql.ts'
import type { MarkedProjectPositions, PursuedProject } from '#server/report/report-queries.ts'
import type { ProjectColumns } from './project-columns.ts'
import {
  createReportTab,
  findProjectPosition,
  findProjectPositions,
  findProjectRow,
  type MatchLists,
  oncePerTab,
  pickFromTab,
  pickMatches,
  type ReportTab,
  type ReportTabContext,
} from './report-tab.ts'

const ROWS_PER_STATEMENT = 5_000

const MAX_LOAD_ID = 0x7fff_ffff

async function readMatchVersion(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ version: string | null }>(sql`select ${matchVersionSql(organisationId)} as version`)
  return row?.version ?? null
}

type MatchRow = {
  readonly project_id: string
  readonly first_load: number
  readonly changed_load: number | null
  readonly words_id: number
}

/** `lists` is undefined if a match refers to a project that is missing from the columns. */
type InMemoryMatches = { readonly version: string | null; readonly lists?: MatchLists }

/** Returns undefined if the matches changed meanwhile. */
export async function loadMatchSet(
  db: Db,
  organisationId: number,
  columns: ProjectColumns,
  signal: AbortSignal,
): Promise<InMemoryMatches | undefined> {
  const version = await readMatchVersion(db, organisationId)
  const rows: number[] = []
  const firstLoads: number[] = []
  const changedLoads: number[] = []
  const words: number[] = []
  let after: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const page: MatchRow[] = await db.query<MatchRow>(sql`
      select m.project_id, m.first_load, m.changed_load, m.words_id from project_matches m
      where m.organisation_id = ${organisationId}::int ${after === undefined ? empty : sql`and m.project_id > ${after}::text`}
      order by m.project_id limit ${ROWS_PER_STATEMENT}::int`)
    for (const match of page) {
      const row = findProjectRow(columns, match.project_id)
      if (row === undefined || Math.max(match.first_load, match.changed_load ?? 0) > MAX_LOAD_ID) return { version }
      rows.push(row)
      firstLoads.push(match.first_load)
      changedLoads.push(match.changed_load ?? 0)
      words.push(match.words_id)
    }
    after = page.at(-1)?.project_id
    if (page.length < ROWS_PER_STATEMENT) break
    await yieldToEventLoop()
  }
  if ((await readMatchVersion(db, organisationId)) !== version) return undefined
  // Sorted by row, so that columns are read sequentially and a row can be found by binary search.
  const positionByRow = new Int32Array(columns.size)
  for (const [position, row] of rows.entries()) positionByRow[row] = position + 1
  const positions = positionByRow.filter((position) => position > 0).map((position) => position - 1)
  return { version, lists: pickMatches({ rows, firstLoads, changedLoads, words }, positions) }
}

export class CachedMatches {
  readonly version: string | null
  readonly columns: ProjectColumns
  readonly #lists: MatchLists
  readonly #tabs = new Map<boolean | undefined, ReportTab>()
  #tabsVersion: string | undefined

  constructor(version: string | null, lists: MatchLists, columns: ProjectColumns) {
    this.version = version
    this.#lists = lists
    this.columns = columns
  }

  /**
   * Estimated. Per match 67 bytes: four numbers here; in a tab the same four, its position, a change code, a verdict and
   * 29 bytes of counted facts.
   */
  get usedBytes(): number {
    return 1_000 + this.#lists.rows.length * 67
  }

  /**
   * Returns the active or the archived matches, or all of them if `isArchived` is undefined. The columns must be at the
   * version `projects`.
   */
  tabAt(context: ReportTabContext & { readonly projects: string }, isArchived: boolean | undefined): ReportTab {
    const version = JSON.stringify(context)
    if (this.#tabsVersion !== version) this.#tabs.clear()
    this.#tabsVersion = version
    const cached = this.#tabs.get(isArchived)
    if (cached) return cached
    const tab = createReportTab(this.columns, this.#select(isArchived), context)
    this.#tabs.set(isArchived, tab)
    return tab
  }

  #select(isArchived: boolean | undefined): MatchLists {
    if (isArchived === undefined) return this.#lists
    const { kind, kinds } = this.columns
    const positions = this.#lists.rows.map((_, position) => position)
    const isInTab = (row: number) => kinds.flags.is_archived[kind[row]!] === Number(isArchived)
    return pickMatches(
      this.#lists,
      positions.filter((position) => isInTab(this.#lists.rows[position]!)),
    )
  }
}

/** Restricts a tab to the matches whose contracts end soon. */
export const pickEndingMatches = oncePerTab((tab) => {
  const { rows, columns, today } = tab
  const lastDay = today + MAX_CONTRACT_END_COUNT_DAYS
  const isEnding = (position: number) => columns.contractEnds.nextOf(rows[position]!, today) <= lastDay
  return pickFromTab(tab, rows.map((_, position) => position).filter(isEnding))
})

/**
 * Cooldown after a load, as a multiple of its duration, so that an organisation whose matches change constantly spends
 * at most a fifth of the time reloading.
 */
const COOLDOWN_FACTOR = 4

type MemoryBudget = {
  readonly maxBytes: number
  readonly otherBytes: () => number
  readonly signal: AbortSignal
}

type Projects = { readonly columns: ProjectColumns; readonly version: string }

export class MatchCache {
  readonly #db: Db
  readonly #budget: MemoryBudget
  readonly #matches = new Map<number, CachedMatches>()
  readonly #loading = new Map<number, Promise<boolean>>()
  /** Time (`performance.now()`) before which the matches of an organisation are not reloaded, by organisation. */
  readonly #cooldownUntil = new Map<number, number>()
  /**
   * Versions of projects and matches at which the matches of an organisation did not fit into memory, by organisation.
   * At the same versions they would not fit again, so the cache does not retry.
   */
  readonly #refused = new Map<number, string>()

  constructor(db: Db, budget: MemoryBudget) {
    this.#db = db
    this.#budget = budget
  }

  get size(): number {
    return this.#matches.size
  }

  get allBytes(): number {
    let bytes = this.#budget.otherBytes()
    for (const matches of this.#matches.values()) bytes += matches.usedBytes
    return bytes
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#loading.values())
  }

  at(organisationId: number, { columns }: Projects, version: string | null): CachedMatches | undefined {
    const matches = this.#matches.get(organisationId)
    if (matches?.columns !== columns || matches.version !== version) return undefined
    this.#matches.delete(organisationId)
    this.#matches.set(organisationId, matches)
    return matches
  }

  #isLoadable(organisationId: number, projects: Projects, version: string | null): boolean {
    const isResting = performance.now() < (this.#cooldownUntil.get(organisationId) ?? 0)
    return !isResting && this.#refused.get(organisationId) !== `${projects.version} ${version}`
  }

  /**
   * Loads the matches if they are stale, and returns whether memory has room for them. Without `canEvict` it evicts no
   * others for them: those were queried, these might not be.
   */
  async loadIfStale(organisationId: number, projects: Projects, canEvict: boolean): Promise<boolean> {
    const version = await readMatchVersion(this.#db, organisationId)
    if (this.at(organisationId, projects, version)) return true
    if (!canEvict && !this.#isLoadable(organisationId, projects, version)) return true
    return await this.#load(organisationId, projects, canEvict)
  }

  /** Starts to load the matches for later queries, unless they were loaded just now or did not fit. */
  loadInBackground(organisationId: number, projects: Projects, version: string | null): void {
    if (!this.#isLoadable(organisationId, projects, version)) return
    // Ignore a failure: the next query reports an unreachable database.
    this.#load(organisationId, projects, true).catch(() => undefined)
  }

  #load(organisationId: number, projects: Projects, canEvict: boolean): Promise<boolean> {
    const loading = this.#loading.get(organisationId)
    if (loading) return loading
    const read = () => withoutDeadline(() => this.#read(organisationId, projects, canEvict))
    const started = runWithoutTenant(read).finally(() => this.#loading.delete(organisationId))
    this.#loading.set(organisationId, started)
    return started
  }

  async #read(organisationId: number, projects: Projects, canEvict: boolean): Promise<boolean> {
    const { signal, maxBytes } = this.#budget
    if (signal.aborted) return false
    const startedAt = performance.now()
    try {
      const loaded = await loadMatchSet(this.#db, organisationId, projects.columns, signal)
      this.#matches.delete(organisationId)
      if (!loaded) return true
      const matches = loaded.lists && new CachedMatches(loaded.version, loaded.lists, projects.columns)
      if (matches && !canEvict && this.allBytes + matches.usedBytes > maxBytes) return false
      if (matches && this.#evictUntilFits(matches.usedBytes)) this.#matches.set(organisationId, matches)
      else this.#refused.set(organisationId, `${projects.version} ${loaded.version}`)
      return true
    } finally {
      const endedAt = performance.now()
      this.#cooldownUntil.set(organisationId, endedAt + (endedAt - startedAt) * COOLDOWN_FACTOR)
    }
  }

  /**
   * Evicts matches of columns that were replaced: the row numbers in these matches are stale, and they would keep the
   * old columns in memory.
   */
  evictStale(projects: Projects | undefined): void {
    for (const [organisationId, matches] of this.#matches)
      if (matches.columns !== projects?.columns) this.#matches.delete(organisationId)
  }

  #evictUntilFits(bytes: number): boolean {
    if (this.#budget.otherBytes() + bytes > this.#budget.maxBytes) return false
    for (const organisationId of this.#matches.keys()) {
      if (this.allBytes + bytes <= this.#budget.maxBytes) break
      this.#matches.delete(organisationId)
    }
    return true
  }
}

type VersionedProjects<Positions> = {
  readonly version: string | null
  readonly size: number
  readonly positionsIn: (tab: ReportTab) => Positions
}

type VersionedReader<Positions> = {
  /** Limit for all owners together. */
  readonly maxProjects: number
  readonly bytesPerProject: number
  readonly read: (ownerId: number) => Promise<VersionedProjects<Positions>>
  /** For owners without a version, who never had any. */
  readonly none: Positions
}

/** Positions of what users or organisations have attached to projects, read again when their version changes. */
class VersionedPositionCache<Positions> {
  readonly #reader: VersionedReader<Positions>
  readonly #cache: LRUCache<number, VersionedProjects<Positions>>

  constructor(reader: VersionedReader<Positions>) {
    this.#reader = reader
    this.#cache = new LRUCache({ maxSize: reader.maxProjects, sizeCalculation: ({ size }) => Math.max(1, size) })
  }

  get usedBytes(): number {
    return this.#cache.calculatedSize * this.#reader.bytesPerProject
  }

  /** Returns undefined if they changed after the version was read. */
  async find(ownerId: number, version: string | null): Promise<((tab: ReportTab) => Positions) | undefined> {
    if (version === null) return () => this.#reader.none
    const cached = this.#cache.get(ownerId)
    if (cached?.version === version) return cached.positionsIn
    const projects = await this.#reader.read(ownerId)
    this.#cache.set(ownerId, projects)
    return projects.version === version ? projects.positionsIn : undefined
  }
}

/** Ids of the projects that a user has marked. */
type MarkedProjectIds = {
  readonly version: string | null
  readonly hidden: readonly string[]
  readonly bookmarked: readonly string[]
  readonly labels: Readonly<Record<string, readonly string[]>>
}

const NO_POSITIONS = new Int32Array(0)

/** Marks of users. A busy one has a few thousand; finding the positions of 3,500 takes 3 ms. */
export const createMarkCache = (db: Db) =>
  new VersionedPositionCache<MarkedProjectPositions>({
    maxProjects: 500_000,
    bytesPerProject: 64,
    none: { hidden: NO_POSITIONS, bookmarked: NO_POSITIONS, labels: new Map(), labelled: NO_POSITIONS },
    async read(userId) {
      const [marks] = await db.query<MarkedProjectIds>(sql`select ${markMemoryCacheColumnsSql(userId)}`, {
        name: 'report_marks',
      })
      const { version, hidden, bookmarked, labels } = marks!
      const size = hidden.length + bookmarked.length + Object.values(labels).flat().length
      return { version, size, positionsIn: oncePerTab((tab) => findMarkedProjectPositions(tab, marks!)) }
    },
  })

function findMarkedProjectPositions(
  tab: ReportTab,
  { hidden, bookmarked, labels }: MarkedProjectIds,
): MarkedProjectPositions {
  const labelIds = Object.entries(labels)
  const allIds = labelIds.flatMap(([, ids]) => ids)
  return {
    hidden: findProjectPositions(tab, hidden),
    bookmarked: findProjectPositions(tab, bookmarked),
    labels: new Map(labelIds.map(([label, ids]) => [label, findProjectPositions(tab, ids)])),
    labelled: findProjectPositions(tab, allIds),
  }
}

type StoredPursuits = {
  readonly version: string | null
  readonly stages: readonly string[]
  readonly pursued: readonly (readonly [
    id: string,
    stage: string | null,
    owner: number | null,
    notes: number,
    labels: readonly string[],
  ])[]
}

/** Pursuits and notes of organisations. A team typically pursues fifty projects, at most 20,000. */
export const createPursuitCache = (db: Db) =>
  new VersionedPositionCache<readonly PursuedProject[]>({
    maxProjects: 200_000,
    bytesPerProject: 150,
    none: [],
    async read(organisationId) {
      const [stored] = await db.query<StoredPursuits>(sql`select ${pursuitMemoryCacheColumnsSql(organisationId)}`, {
        name: 'report_pursued',
      })
      const { version, pursued } = stored!
      return { version, size: pursued.length, positionsIn: oncePerTab((tab) => findPursuedProjects(tab, stored!)) }
    },
  })

function findPursuedProjects(tab: ReportTab, { stages, pursued }: StoredPursuits): PursuedProject[] {
  const positionOfStage = new Map(stages.map((id, position) => [id, position]))
  return pursued
    .flatMap(([id, stage, owner, notes, labels]): PursuedProject[] => {
      const position = findProjectPosition(tab, id)
      if (position === -1) return []
      const stagePosition = stage === null ? null : (positionOfStage.get(stage) ?? null)
      return [{ position, row: tab.rows[position]!, stage, stagePosition, owner, notes, labels }]
    })
    .sort((a, b) => a.position - b.position)
}
