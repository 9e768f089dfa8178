import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { HeldTab } from './held-matches.ts'
import { placeOfRow } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'
import { projectKey } from './project-key.ts'

/** Cached marks over all users, 12 to 20 bytes each. */
const MOST_MARKS = 1_000_000

export const MARK_KINDS = ['hidden', 'bookmarked', 'labelled'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** 'asked' limits the marks to the kinds that the searches use. */
export type WhichMarks = 'all' | 'asked'
export const kindsAsked = (searches: readonly ReportSearch[], marks: WhichMarks): ReadonlySet<MarkKind> =>
  new Set(marks === 'all' ? MARK_KINDS : searches.flatMap(marksAskedBy))

function marksAskedBy(search: ReportSearch): MarkKind[] {
  const asked: MarkKind[] = ['hidden']
  if (search.project_bookmark) asked.push('bookmarked')
  if (search.project_label__in) asked.push('labelled')
  return asked
}

const TABLES: Readonly<Record<MarkKind, { readonly table: Sql; readonly label: Sql }>> = {
  hidden: { table: sql`hidden_projects`, label: sql`''` },
  bookmarked: { table: sql`bookmarks`, label: sql`''` },
  labelled: { table: sql`label_assignments`, label: sql`t.label_id` },
}

/**
 * Version of a user's marks: their count and the XOR of their 64-bit hashes. Hashing 17,000 marks takes 3 ms;
 * transferring them and locating their places would add 10 ms.
 */
export const marksVersion = (kind: MarkKind, userId: number): Sql => {
  const { table, label } = TABLES[kind]
  return sql`(select count(*) || ' ' || coalesce(bit_xor(hashtextextended(t.project_id || ' ' || ${label}, 0)), 0)
    from ${table} t where t.user_id = ${userId}::int)`
}

/** Places of a user's marks in a tab; a place may have several labels. */
export type MarkedPlaces = {
  readonly hidden: Int32Array
  readonly bookmarked: Int32Array
  readonly labels: ReadonlyMap<string, Int32Array>
  /** Places with at least one label, without duplicates. */
  readonly labelled: Int32Array
}

export const NO_PLACES: MarkedPlaces = {
  hidden: new Int32Array(0),
  bookmarked: new Int32Array(0),
  labels: new Map(),
  labelled: new Int32Array(0),
}

/** Marks of one kind as project keys grouped by label; kinds without labels use the empty string. */
type Marks = {
  readonly version: string
  readonly size: number
  readonly keys: ReadonlyMap<string, Float64Array>
  readonly places: WeakMap<HeldTab, ReadonlyMap<string, Int32Array>>
}

/** LRU cache of user marks. An entry is reloaded when its version changes. */
export class KeptMarks {
  readonly #db: Db
  readonly #kept = new LRUCache<string, Marks>({
    maxSize: MOST_MARKS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  })

  constructor(db: Db) {
    this.#db = db
  }

  get heldBytes(): number {
    return this.#kept.calculatedSize * 16
  }

  /** Places of these marks by label; undefined if the marks no longer have this version. */
  async #placesOf(
    kind: MarkKind,
    { userId, version, held, columns }: MarksAsked & { readonly userId: number; readonly version: string },
  ): Promise<ReadonlyMap<string, Int32Array> | undefined> {
    const name = `${kind} ${userId}`
    let marks = this.#kept.get(name)
    if (marks?.version !== version) marks = await readMarks(this.#db, kind, userId)
    if (marks.version !== version) return undefined
    this.#kept.set(name, marks)
    const known = marks.places.get(held)
    if (known) return known
    const places = new Map([...marks.keys].map(([label, keys]) => [label, placesIn(held, columns, keys)]))
    marks.places.set(held, places)
    return places
  }

  /**
   * Undefined if marks changed after their versions were read. A kind whose version is null was not requested and
   * yields no places.
   */
  async find(
    userId: number,
    versions: Readonly<Record<MarkKind, string | null>>,
    asked: MarksAsked,
  ): Promise<MarkedPlaces | undefined> {
    const found = {} as Record<MarkKind, ReadonlyMap<string, Int32Array>>
    for (const kind of MARK_KINDS) {
      const version = versions[kind]
      const places = version === null ? new Map() : await this.#placesOf(kind, { ...asked, userId, version })
      if (!places) return undefined
      found[kind] = places
    }
    const none = new Int32Array(0)
    const { labelled: labels } = found
    return {
      hidden: found.hidden.get('') ?? none,
      bookmarked: found.bookmarked.get('') ?? none,
      labels,
      labelled: labels.size === 1 ? [...labels.values()][0]! : distinct([...labels.values()]),
    }
  }
}

type MarksAsked = { readonly held: HeldTab; readonly columns: ProjectColumns }

async function readMarks(db: Db, kind: MarkKind, userId: number): Promise<Marks> {
  const { table, label } = TABLES[kind]
  const [row] = await db.query<{ version: string; marks: Record<string, string[]> }>(
    sql`
    select ${marksVersion(kind, userId)} as version, (
      select coalesce(json_object_agg(l.label, l.ids), '{}') from (
        select ${label} as label, array_agg(t.project_id) as ids from ${table} t where t.user_id = ${userId}::int group by 1
      ) l
    ) as marks`,
    { name: `marks_${kind}` },
  )
  const { version, marks } = row!
  const keys = new Map(
    Object.entries(marks).map(([name, ids]) => [name, Float64Array.from(ids.flatMap((id) => projectKey(id) ?? []))]),
  )
  const size = [...keys.values()].reduce((sum, { length }) => sum + length, 0)
  return { version, size, keys, places: new WeakMap() }
}

/** Ascending; skips projects outside the tab. */
function placesIn({ tab }: HeldTab, columns: ProjectColumns, keys: Float64Array): Int32Array {
  const places = new Int32Array(keys.length)
  let size = 0
  for (const key of keys) {
    const row = columns.rowOf(key)
    const place = row === undefined ? -1 : placeOfRow(tab, row)
    if (place !== -1) places[size++] = place
  }
  return places.slice(0, size).sort()
}

function distinct(lists: readonly Int32Array[]): Int32Array {
  return Int32Array.from(new Set(lists.flatMap((places) => [...places]))).sort()
}
