import { LRUCache } from 'lru-cache'
import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline, yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { pursuitMemoryCacheColumnsSql } from '#server/report/match-sql.ts'
import type {
  MarkedProjectPositions,
  ProjectMarkKind,
  PursuedProject,
  ReportSnapshot,
} from '#server/report/report-queries.ts'
import type { ContractEndIndex, ProjectColumns } from './project-columns.ts'
import {
  matchVersionSql,
  PROJECT_MARK_KINDS,
  PROJECT_MARK_TABLES,
  userProjectMarksVersionSql,
} from './report-snapshot.ts'
import {
  type CachedProjects,
  type CachedReportTabMatches,
  computeChangeCodes,
  countReportTabMatchesByStatus,
  findKeyPosition,
  getReportTabCacheBytes,
  pickMatches,
  type ReportTabMatches,
  tabOfPositions,
} from './report-tab.ts'

const ROWS_PER_STATEMENT = 5_000

type MatchSet = ReportTabMatches & { readonly version: string | null }

const MAX_LOAD_ID = 0x7fff_ffff

async function readMatchVersion(db: Db, organisationId: number): Promise<string | null> {
  const [row] = await db.query<{ version: string | null }>(
    sql`select ${matchVersionSql(sql`${organisationId}::int`)} as version`,
  )
  return row?.version ?? null
}

type MatchRow = {
  readonly project_id: string
  readonly first_load: number
  readonly changed_load: number | null
  readonly words_id: number
}

/** `set` is undefined if a match refers to a project that is missing from the columns. */
type InMemoryMatches = { readonly version: string | null; readonly set?: MatchSet }

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
      const key = encodeProjectKey(match.project_id)
      const row = key === undefined ? undefined : columns.rowOf(key)
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
  return { version, set: { version, ...pickMatches({ rows, firstLoads, changedLoads, words }, positions) } }
}

/**
 * Returns the active or the archived matches or, if `isArchived` is undefined, all of them without copying. Always
 * returns a new object, because data cached per tab depends on facts that can change while the match set does not.
 */
function selectReportTabMatches(
  { rows, firstLoads, changedLoads, words }: MatchSet,
  { kind, kinds }: ProjectColumns,
  isArchived: boolean | undefined,
): ReportTabMatches {
  const all = { rows, firstLoads, changedLoads, words }
  if (isArchived === undefined) return all
  const positions = rows.map((_, position) => position)
  const archivedFlag = Number(isArchived)
  return pickMatches(
    all,
    positions.filter((position) => kinds.flags.is_archived[kind[rows[position]!]!] === archivedFlag),
  )
}

/**
 * Version of the data that a tab was computed from: projects, latest loads (`LATEST_DATA_LOADS_TEXT_SQL`) and day (days since
 * 2000-01-01).
 */
type ReportTabMatchesVersion = {
  readonly projects: string
  readonly latest: string | null
  readonly today: number
}

export class CachedMatches {
  readonly set: MatchSet
  readonly #columns: ProjectColumns
  #version: ReportTabMatchesVersion | undefined
  readonly #tabs = new Map<boolean | undefined, CachedReportTabMatches>()
  #ending: CachedReportTabMatches | undefined

  constructor(set: MatchSet, columns: ProjectColumns) {
    this.set = set
    this.#columns = columns
  }

  /**
   * Estimated memory: 33 bytes per match (four numbers in the set and its tabs, plus the change code), plus the caches
   * of the tabs (`recordReportTabCacheBytes`).
   */
  get usedBytes(): number {
    let tabBytes = 0
    for (const { tab } of this.#tabs.values()) tabBytes += getReportTabCacheBytes(tab)
    return 1_000 + this.set.rows.length * 33 + tabBytes
  }

  isOf(columns: ProjectColumns): boolean {
    return this.#columns === columns
  }

  #switchTo(version: ReportTabMatchesVersion): void {
    const last = this.#version
    if (last?.projects === version.projects && last.latest === version.latest && last.today === version.today) return
    this.#tabs.clear()
    this.#ending = undefined
    this.#version = version
  }

  /**
   * Returns the active or the archived matches, or all of them if `isArchived` is undefined. The columns must be at the
   * version `version.projects`.
   */
  tabAt(version: ReportTabMatchesVersion, isArchived: boolean | undefined): CachedReportTabMatches {
    this.#switchTo(version)
    const cached = this.#tabs.get(isArchived)
    if (cached) return cached
    const tab = selectReportTabMatches(this.set, this.#columns, isArchived)
    const changes = computeChangeCodes(tab, this.#columns, version.latest)
    const cachedTab = {
      tab,
      changes,
      counts: countReportTabMatchesByStatus({ tab, changes }, this.#columns, undefined, version.today),
    }
    this.#tabs.set(isArchived, cachedTab)
    return cachedTab
  }

  endingAt(version: ReportTabMatchesVersion, days: number): CachedReportTabMatches {
    const { tab, changes } = this.tabAt(version, undefined)
    const { today } = version
    this.#ending ??= tabOfPositions(
      { tab, changes },
      this.#columns,
      version,
      findPositionsOfContractsEndingBetween(tab.rows, this.#columns.contractEnds, today, today + days),
    )
    return this.#ending
  }
}

function findPositionsOfContractsEndingBetween(
  rows: Int32Array,
  ends: ContractEndIndex,
  firstDay: number,
  lastDay: number,
): Int32Array {
  const positions: number[] = []
  for (let position = 0; position < rows.length; position += 1)
    if (ends.nextOf(rows[position]!, firstDay) <= lastDay) positions.push(position)
  return Int32Array.from(positions)
}

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

export class MatchCache {
  readonly #db: Db
  readonly #budget: MemoryBudget
  readonly #matches = new Map<number, CachedMatches>()
  readonly #loading = new Map<number, Promise<void>>()
  /** Time (`performance.now()`) before which the matches of an organisation are not reloaded, by organisation. */
  readonly #cooldownUntil = new Map<number, number>()
  /**
   * Versions of projects and matches at which the matches of an organisation did not fit into memory, by organisation.
   * At the same versions they would not fit again, so the cache does not retry.
   */
  readonly #refused = new Map<number, string>()

  /** Version of the projects at which preloaded matches no longer fitted into memory. */
  #fullAt: string | undefined

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

  at(organisationId: number, { columns }: CachedProjects, version: string | null): CachedMatches | undefined {
    const matches = this.#matches.get(organisationId)
    if (!matches?.isOf(columns) || matches.set.version !== version) return undefined
    this.#matches.delete(organisationId)
    this.#matches.set(organisationId, matches)
    return matches
  }

  #isLoadable(organisationId: number, projects: CachedProjects, version: string | null): boolean {
    const isResting = performance.now() < (this.#cooldownUntil.get(organisationId) ?? 0)
    return !isResting && this.#refused.get(organisationId) !== `${projects.version} ${version}`
  }

  /**
   * Loads the matches if they are stale. Without `canEvict` it evicts no others for them: those were queried, these might
   * not be. It then loads nothing more at this version of the projects once memory is full.
   */
  async loadIfStale(
    organisationId: number,
    projects: CachedProjects,
    { canEvict }: { readonly canEvict: boolean },
  ): Promise<void> {
    if (!canEvict && this.#fullAt === projects.version) return
    const version = await readMatchVersion(this.#db, organisationId)
    if (this.at(organisationId, projects, version)) return
    if (canEvict || this.#isLoadable(organisationId, projects, version))
      await this.#load(organisationId, projects, { canEvict })
  }

  /** Starts to load the matches for later queries, unless they were loaded just now or did not fit. */
  loadInBackground(organisationId: number, projects: CachedProjects, version: string | null): void {
    if (!this.#isLoadable(organisationId, projects, version)) return
    // Ignore a failure: the next query reports an unreachable database.
    this.#load(organisationId, projects).catch(() => undefined)
  }

  async #load(organisationId: number, projects: CachedProjects, { canEvict = true } = {}): Promise<void> {
    const loading = this.#loading.get(organisationId)
    const done =
      loading ?? runWithoutTenant(() => withoutDeadline(() => this.#read(organisationId, projects, canEvict)))
    if (!loading) {
      const forget = () => this.#loading.delete(organisationId)
      this.#loading.set(organisationId, done)
      done.then(forget, forget)
    }
    await done
  }

  async #read(organisationId: number, projects: CachedProjects, canEvict: boolean): Promise<void> {
    const { signal } = this.#budget
    if (signal.aborted) return
    const startedAt = performance.now()
    try {
      const loaded = await loadMatchSet(this.#db, organisationId, projects.columns, signal)
      this.#matches.delete(organisationId)
      if (!loaded) return
      const matches = loaded.set && new CachedMatches(loaded.set, projects.columns)
      if (matches && !canEvict && this.allBytes + matches.usedBytes > this.#budget.maxBytes)
        this.#fullAt = projects.version
      else if (matches && this.#evictUntilFits(matches.usedBytes)) this.#matches.set(organisationId, matches)
      else this.#refused.set(organisationId, `${projects.version} ${loaded.version}`)
    } finally {
      const endedAt = performance.now()
      this.#cooldownUntil.set(organisationId, endedAt + (endedAt - startedAt) * COOLDOWN_FACTOR)
    }
  }

  /**
   * Evicts matches of columns that were replaced: the row numbers in these matches are stale, and they would keep the
   * old columns in memory.
   */
  evictStale(projects: CachedProjects | undefined): void {
    for (const [organisationId, matches] of this.#matches)
      if (!projects || !matches.isOf(projects.columns)) this.#matches.delete(organisationId)
  }

  #evictUntilFits(bytes: number): boolean {
    for (const organisationId of this.#matches.keys()) {
      if (this.allBytes + bytes <= this.#budget.maxBytes) return true
      this.#matches.delete(organisationId)
    }
    return this.allBytes + bytes <= this.#budget.maxBytes
  }
}

/** Maximum cached marks of all users together, at 12 to 20 bytes each. */
const MAX_CACHED_MARKS = 1_000_000

export const NO_MARKED_PROJECT_POSITIONS: MarkedProjectPositions = {
  hidden: new Int32Array(0),
  bookmarked: new Int32Array(0),
  labels: new Map(),
  labelled: new Int32Array(0),
}

/** Project keys that carry one kind of mark, by label id. Stars and hides have no labels and use the key `''`. */
type Marks = {
  readonly version: string
  readonly size: number
  readonly keys: ReadonlyMap<string, Float64Array>
  readonly positions: WeakMap<CachedReportTabMatches, ReadonlyMap<string, Int32Array>>
}

export class ProjectMarkCache {
  readonly #db: Db
  readonly #cache = new LRUCache<string, Marks>({
    maxSize: MAX_CACHED_MARKS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  })

  constructor(db: Db) {
    this.#db = db
  }

  get usedBytes(): number {
    return this.#cache.calculatedSize * 16
  }

  async #positionsOf(
    kind: ProjectMarkKind,
    { userId, version, cachedTab, columns }: MarkLookup & { readonly userId: number; readonly version: string },
  ): Promise<ReadonlyMap<string, Int32Array> | undefined> {
    const name = `${kind} ${userId}`
    let marks = this.#cache.get(name)
    if (marks?.version !== version) marks = await readMarks(this.#db, kind, userId)
    if (marks.version !== version) return undefined
    this.#cache.set(name, marks)
    const cached = marks.positions.get(cachedTab)
    if (cached) return cached
    const positions = new Map([...marks.keys].map(([label, keys]) => [label, positionsIn(cachedTab, columns, keys)]))
    marks.positions.set(cachedTab, positions)
    return positions
  }

  /**
   * Returns the positions of the user's marked projects; undefined if marks changed after their versions were read.
   */
  async find(
    userId: number,
    versions: ReportSnapshot['marks'],
    lookup: MarkLookup,
  ): Promise<MarkedProjectPositions | undefined> {
    const positionsByKind = {} as Record<ProjectMarkKind, ReadonlyMap<string, Int32Array>>
    for (const kind of PROJECT_MARK_KINDS) {
      const positions = await this.#positionsOf(kind, { ...lookup, userId, version: versions[kind] })
      if (!positions) return undefined
      positionsByKind[kind] = positions
    }
    const noPositions = new Int32Array(0)
    const { labelled: labels } = positionsByKind
    return {
      hidden: positionsByKind.hidden.get('') ?? noPositions,
      bookmarked: positionsByKind.bookmarked.get('') ?? noPositions,
      labels,
      labelled: labels.size === 1 ? [...labels.values()][0]! : distinctPositions([...labels.values()]),
    }
  }
}

type MarkLookup = { readonly cachedTab: CachedReportTabMatches; readonly columns: ProjectColumns }

async function readMarks(db: Db, kind: ProjectMarkKind, userId: number): Promise<Marks> {
  const { table, label } = PROJECT_MARK_TABLES[kind]
  const [row] = await db.query<{ version: string; marks: Record<string, string[]> }>(
    sql`
    select ${userProjectMarksVersionSql(kind, userId)} as version, (
      select coalesce(json_object_agg(l.label, l.ids), '{}') from (
        select ${label} as label, array_agg(t.project_id) as ids from ${table} t where t.user_id = ${userId}::int group by 1
      ) l
    ) as marks`,
    { name: `marks_${kind}` },
  )
  const { version, marks } = row!
  const keys = new Map(
    Object.entries(marks).map(([name, ids]) => [
      name,
      Float64Array.from(ids.flatMap((id) => encodeProjectKey(id) ?? [])),
    ]),
  )
  const size = [...keys.values()].reduce((sum, { length }) => sum + length, 0)
  return { version, size, keys, positions: new WeakMap() }
}

function positionsIn({ tab }: CachedReportTabMatches, columns: ProjectColumns, keys: Float64Array): Int32Array {
  const positions = new Int32Array(keys.length)
  let size = 0
  for (const key of keys) {
    const position = findKeyPosition(tab, columns, key)
    if (position !== -1) positions[size++] = position
  }
  return positions.slice(0, size).sort()
}

function distinctPositions(lists: readonly Int32Array[]): Int32Array {
  return Int32Array.from(new Set(lists.flatMap((positions) => [...positions]))).sort()
}

/**
 * Maximum cached projects of all organisations together, at about 150 bytes each. A team typically pursues fifty, at
 * most 20,000.
 */
const MAX_CACHED_PURSUITS = 200_000
const BYTES_PER_PURSUIT = 150

type CachedPursuits = {
  readonly version: string | null
  readonly projects: readonly (Omit<PursuedProject, 'position' | 'row'> & { readonly key: number })[]
  readonly pursued: WeakMap<CachedReportTabMatches, readonly PursuedProject[]>
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

const NO_PURSUITS: readonly PursuedProject[] = []

export class PursuitCache {
  readonly #db: Db
  readonly #cache = new LRUCache<number, CachedPursuits>({
    maxSize: MAX_CACHED_PURSUITS,
    sizeCalculation: ({ projects }) => Math.max(1, projects.length),
  })

  constructor(db: Db) {
    this.#db = db
  }

  get usedBytes(): number {
    return this.#cache.calculatedSize * BYTES_PER_PURSUIT
  }

  async find(
    organisationId: number,
    version: string | null,
    { cachedTab, columns }: { readonly cachedTab: CachedReportTabMatches; readonly columns: ProjectColumns },
  ): Promise<readonly PursuedProject[] | undefined> {
    if (version === null) return NO_PURSUITS
    let entry = this.#cache.get(organisationId)
    if (entry?.version !== version) entry = await loadPursuits(this.#db, organisationId)
    if (entry.version !== version) return undefined
    this.#cache.set(organisationId, entry)
    const cachedPursuits = entry.pursued.get(cachedTab)
    if (cachedPursuits) return cachedPursuits
    const pursuits: PursuedProject[] = []
    for (const { key, ...project } of entry.projects) {
      const position = findKeyPosition(cachedTab.tab, columns, key)
      if (position !== -1) pursuits.push({ ...project, position, row: cachedTab.tab.rows[position]! })
    }
    pursuits.sort((a, b) => a.position - b.position)
    entry.pursued.set(cachedTab, pursuits)
    return pursuits
  }
}

async function loadPursuits(db: Db, organisationId: number): Promise<CachedPursuits> {
  const [stored] = await db.query<StoredPursuits>(sql`select ${pursuitMemoryCacheColumnsSql(organisationId)}`, {
    name: 'report_pursued',
  })
  const { version, stages, pursued } = stored!
  const positionOf = new Map(stages.map((id, position) => [id, position]))
  const projects = pursued.flatMap(([id, stage, owner, notes, labels]) => {
    const key = encodeProjectKey(id)
    const stagePosition = stage === null ? null : (positionOf.get(stage) ?? null)
    return key === undefined ? [] : [{ key, stage, stagePosition, owner, notes, labels }]
  })
  return { version, projects, pursued: new WeakMap() }
}
