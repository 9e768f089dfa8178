import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { REPORT_TEAM_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { pursuitMemoryCacheColumnsSql } from '#server/report/pursuit-sql.ts'
import type { MarkedProjectPositions, PursuedProject, ReportFilterSet } from '#server/report/report-filter.ts'
import type { ProjectMarkKind } from '#server/report/report-scope.ts'
import type { ProjectColumns } from './project-columns.ts'
import { PROJECT_MARK_KINDS, PROJECT_MARK_TABLES, userProjectMarksVersionSql } from './report-snapshot.ts'
import { type CachedReportTabMatches, findKeyPosition } from './report-tab.ts'

/** Maximum cached marks of all users together, at 12 to 20 bytes each. */
const MAX_CACHED_MARKS = 1_000_000

/** `asked` selects only the kinds of marks that the searches use, `all` selects every kind. */
export type ProjectMarkKindSelection = 'all' | 'asked'
export const getRequestedProjectMarkKinds = (
  searches: readonly ReportSearch[],
  marks: ProjectMarkKindSelection,
  filters: ReportFilterSet,
): ReadonlySet<ProjectMarkKind> =>
  new Set(marks === 'all' ? PROJECT_MARK_KINDS : searches.flatMap((search) => markKindsOf(search, filters)))

// Every report needs the hidden projects, because it leaves them out.
const markKindsOf = (search: ReportSearch, { getActiveFilters }: ReportFilterSet): ProjectMarkKind[] => [
  'hidden',
  ...getActiveFilters(search).flatMap(({ filter }) => filter.markKind ?? []),
]

export const NO_MARKED_PROJECT_POSITIONS: MarkedProjectPositions = {
  hidden: new Int32Array(0),
  bookmarked: new Int32Array(0),
  labels: new Map(),
  labelled: new Int32Array(0),
}

/** Marks of one kind as project keys, grouped by label. Kinds without labels use the empty string. */
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
   * Returns the positions of the user's marked projects; undefined if marks changed after their versions were read. A
   * kind whose version is null was not requested and gets no positions.
   */
  async find(
    userId: number,
    versions: Readonly<Record<ProjectMarkKind, string | null>>,
    lookup: MarkLookup,
  ): Promise<MarkedProjectPositions | undefined> {
    const positionsByKind = {} as Record<ProjectMarkKind, ReadonlyMap<string, Int32Array>>
    for (const kind of PROJECT_MARK_KINDS) {
      const version = versions[kind]
      const positions = version === null ? new Map() : await this.#positionsOf(kind, { ...lookup, userId, version })
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

export const usesPursuits = (search: ReportSearch): boolean =>
  search.ordering?.includes('pursuit_') === true || REPORT_TEAM_PARAMS.some((name) => search[name] !== undefined)

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
