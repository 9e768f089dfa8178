import sql from 'sql-template-tag'
import { type FactScope, isWatched, watchedMatches } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { projectKey } from '#server/report/memory/project-key.ts'
import type { FactColumns } from './fact-columns.ts'

const MATCHES_A_STATEMENT = 20_000
/** Total of all sets: a set takes 4 bytes a fact, 180 kB for a report of 42,829 projects. */
const MOST_BYTES = 16 * 2 ** 20

type WatchSet = { readonly stamp: string; readonly facts: Int32Array }

export class WatchSets {
  /** Least recently used first. */
  readonly #sets = new Map<string, WatchSet>()

  clear(): void {
    this.#sets.clear()
  }

  /**
   * `stamp`: unchanged while columns, matches and the groups' keywords are unchanged. Call as the tenant that owns the
   * report.
   */
  async factsOf(db: Db, scope: FactScope, columns: FactColumns, stamp: string): Promise<Int32Array> {
    const { organisationId, search } = scope
    const key = `${organisationId} ${search.keyword_group__in?.join(' ') ?? ''}`
    const known = this.#sets.get(key)
    this.#sets.delete(key)
    const set = known?.stamp === stamp ? known : { stamp, facts: await this.#read(db, scope, columns) }
    this.#sets.set(key, set)
    this.#makeRoom()
    return set.facts
  }

  async #read(db: Db, { organisationId, search }: FactScope, columns: FactColumns): Promise<Int32Array> {
    const isIn = new Uint8Array(columns.projectCount)
    let after = ''
    for (;;) {
      const [page] = await db.query<{ n: number; ids: string | null }>(sql`
        select count(*)::int as n, string_agg(t.project_id, ',') as ids
        from (
          select m.project_id from ${watchedMatches(search.keyword_group__in)}
          where ${isWatched(organisationId, search.keyword_group__in)} and m.project_id > ${after}::text
          order by m.project_id limit ${MATCHES_A_STATEMENT}::int
        ) t`)
      const ids = page!.ids?.split(',') ?? []
      for (const id of ids) {
        const key = projectKey(id)
        const project = key === undefined ? undefined : columns.projects.get(key)
        if (project !== undefined) isIn[project] = 1
      }
      if (ids.length < MATCHES_A_STATEMENT) break
      after = ids.at(-1)!
      await yieldToEventLoop()
    }
    let size = 0
    for (let fact = 0; fact < columns.size; fact += 1) size += isIn[columns.project[fact]!]!
    const facts = new Int32Array(size)
    let place = 0
    for (let fact = 0; fact < columns.size; fact += 1) {
      if (isIn[columns.project[fact]!] === 1) {
        facts[place] = fact
        place += 1
      }
    }
    return facts
  }

  #makeRoom(): void {
    let bytes = [...this.#sets.values()].reduce((sum, { facts }) => sum + facts.byteLength, 0)
    for (const [key, { facts }] of this.#sets) {
      if (bytes <= MOST_BYTES || this.#sets.size === 1) return
      this.#sets.delete(key)
      bytes -= facts.byteLength
    }
  }
}
