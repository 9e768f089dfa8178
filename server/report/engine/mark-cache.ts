import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import type { ProjectMarkKind } from '#server/report/report-scope.ts'
import type { CachedReportTabMatches } from './cached-matches.ts'
import { findRowPosition } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'

/** Maximum cached marks of all users together, at 12 to 20 bytes each. */
const MAX_CACHED_MARKS = 1_000_000

export const PROJECT_MARK_KINDS: readonly ProjectMarkKind[] = ['hidden', 'bookmarked', 'labelled']

type MarkReadingFilters = {
  readonly getActiveFilters: (
    search: ReportSearch,
  ) => readonly { readonly filter: { readonly markKind?: ProjectMarkKind } }[]
}

/** `asked` selects only the kinds of marks that the searches use, `all` selects every kind. */
export type ProjectMarkKindSelection = 'all' | 'asked'
export const getRequestedProjectMarkKinds = (
  searches: readonly ReportSearch[],
  marks: ProjectMarkKindSelection,
  filters: MarkReadingFilters,
): ReadonlySet<ProjectMarkKind> =>
  new Set(marks === 'all' ? PROJECT_MARK_KINDS : searches.flatMap((search) => markKindsOf(search, filters)))

// Every report needs the hidden projects, because it leaves them out.
const markKindsOf = (search: ReportSearch, { getActiveFilters }: MarkReadingFilters): ProjectMarkKind[] => [
  'hidden',
  ...getActiveFilters(search).flatMap(({ filter }) => filter.markKind ?? []),
]

const TABLES: Readonly<Record<ProjectMarkKind, { readonly table: Sql; readonly label: Sql }>> = {
  hidden: { table: sql`hidden_projects`, label: sql`''` },
  bookmarked: { table: sql`bookmarks`, label: sql`''` },
  labelled: { table: sql`label_assignments`, label: sql`t.label_id` },
}

/**
 * Version of a user's marks: their count and the XOR of their 64-bit hashes. Hashing 17,000 marks takes 3 ms;
 * transferring them and finding their positions would take another 10 ms.
 */
export const userProjectMarksVersionSql = (kind: ProjectMarkKind, userId: number): Sql => {
  const { table, label } = TABLES[kind]
  return sql`(select count(*) || ' ' || coalesce(bit_xor(hashtextextended(t.project_id || ' ' || ${label}, 0)), 0)
    from ${table} t where t.user_id = ${userId}::int)`
}

export type MarkedProjectPositions = {
  readonly hidden: Int32Array
  readonly bookmarked: Int32Array
  readonly labels: ReadonlyMap<string, Int32Array>
  readonly labelled: Int32Array
}

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
  const { table, label } = TABLES[kind]
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
    const row = columns.rowOf(key)
    const position = row === undefined ? -1 : findRowPosition(tab, row)
    if (position !== -1) positions[size++] = position
  }
  return positions.slice(0, size).sort()
}

function distinctPositions(lists: readonly Int32Array[]): Int32Array {
  return Int32Array.from(new Set(lists.flatMap((positions) => [...positions]))).sort()
}
