import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { PURSUIT_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { pursuedColumns } from '#server/report/pursuit-sql.ts'
import type { HeldTab } from './held-matches.ts'
import { placeOfRow } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'
import { projectKey } from './project-key.ts'

/** Cached pursued projects over all organisations, about 150 bytes each. A team typically has fifty, at most 20,000. */
const MOST_PURSUED = 200_000
const BYTES_EACH = 150

/** A match on the board, with notes or with team labels. */
export type Pursued = {
  readonly place: number
  readonly row: number
  /** Null if the project has only notes or labels. */
  readonly stage: string | null
  /** Zero-based position of the stage on the board; null without a stage. */
  readonly stagePlace: number | null
  readonly owner: number | null
  readonly notes: number
  readonly labels: readonly string[]
}

type Kept = {
  readonly version: string | null
  readonly projects: readonly (Omit<Pursued, 'place' | 'row'> & { readonly key: number })[]
  readonly pursued: WeakMap<HeldTab, readonly Pursued[]>
}

type Stored = {
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

const NONE: readonly Pursued[] = []

export const asksPursuits = (search: ReportSearch): boolean =>
  search.ordering?.includes('pursuit_') === true || PURSUIT_PARAMS.some((name) => search[name] !== undefined)

/**
 * LRU cache of pursuits, notes and team labels per organisation. An entry is reloaded when the board version changes.
 */
export class KeptPursuits {
  readonly #db: Db
  readonly #kept = new LRUCache<number, Kept>({
    maxSize: MOST_PURSUED,
    sizeCalculation: ({ projects }) => Math.max(1, projects.length),
  })

  constructor(db: Db) {
    this.#db = db
  }

  get heldBytes(): number {
    return this.#kept.calculatedSize * BYTES_EACH
  }

  /** Pursued projects in the tab, by place; undefined if the board no longer has this version. */
  async find(
    organisationId: number,
    version: string | null,
    { held, columns }: { readonly held: HeldTab; readonly columns: ProjectColumns },
  ): Promise<readonly Pursued[] | undefined> {
    if (version === null) return NONE
    let kept = this.#kept.get(organisationId)
    if (kept?.version !== version) kept = await readPursued(this.#db, organisationId)
    if (kept.version !== version) return undefined
    this.#kept.set(organisationId, kept)
    const known = kept.pursued.get(held)
    if (known) return known
    const found: Pursued[] = []
    for (const { key, ...project } of kept.projects) {
      const row = columns.rowOf(key)
      const place = row === undefined ? -1 : placeOfRow(held.tab, row)
      if (place !== -1) found.push({ ...project, place, row: row! })
    }
    found.sort((a, b) => a.place - b.place)
    kept.pursued.set(held, found)
    return found
  }
}

async function readPursued(db: Db, organisationId: number): Promise<Kept> {
  const [stored] = await db.query<Stored>(sql`select ${pursuedColumns(organisationId)}`, { name: 'report_pursued' })
  const { version, stages, pursued } = stored!
  const placeOf = new Map(stages.map((id, place) => [id, place]))
  const projects = pursued.flatMap(([id, stage, owner, notes, labels]) => {
    const key = projectKey(id)
    const stagePlace = stage === null ? null : (placeOf.get(stage) ?? null)
    return key === undefined ? [] : [{ key, stage, stagePlace, owner, notes, labels }]
  })
  return { version, projects, pursued: new WeakMap() }
}
