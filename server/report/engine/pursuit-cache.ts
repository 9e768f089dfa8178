import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { REPORT_TEAM_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { pursuitMemoryCacheColumnsSql } from '#server/report/pursuit-sql.ts'
import type { CachedReportTabMatches } from './cached-matches.ts'
import { findRowPosition } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'

/**
 * Maximum cached projects of all organisations together, at about 150 bytes each. A team typically pursues fifty, at
 * most 20,000.
 */
const MAX_CACHED_PURSUITS = 200_000
const BYTES_PER_PURSUIT = 150

export type PursuedProject = {
  readonly position: number
  readonly row: number
  readonly stage: string | null
  readonly stagePosition: number | null
  readonly owner: number | null
  readonly notes: number
  readonly labels: readonly string[]
}

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
      const row = columns.rowOf(key)
      const position = row === undefined ? -1 : findRowPosition(cachedTab.tab, row)
      if (position !== -1) pursuits.push({ ...project, position, row: row! })
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
