import sql from 'sql-template-tag'
import {
  type CompanyFactScope,
  organisationReportMatchCondition,
  projectMatchRowsSql,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import type { CompanyFactTable } from './company-fact-columns.ts'

const MATCHES_PER_STATEMENT = 20_000
/**
 * Memory limit for all cached fact sets together. A set takes 4 bytes per fact: 180 kB for a report of 42,829 projects.
 */
const MAX_BYTES = 16 * 2 ** 20

type CachedReportFacts = { readonly version: string; readonly facts: Int32Array }

export class ReportCompanyFactCache {
  readonly #sets = new Map<string, CachedReportFacts>()

  clear(): void {
    this.#sets.clear()
  }

  /**
   * Returns the company facts of the organisation's report. `version` must change whenever the fact columns, the
   * matches or the keywords of the groups change. Call as the tenant that owns the report.
   */
  async factsOf(db: Db, scope: CompanyFactScope, columns: CompanyFactTable, version: string): Promise<Int32Array> {
    const { organisationId, search } = scope
    const key = `${organisationId} ${search.keyword_group__in?.join(' ') ?? ''}`
    const cached = this.#sets.get(key)
    this.#sets.delete(key)
    const set = cached?.version === version ? cached : { version, facts: await this.#read(db, scope, columns) }
    this.#sets.set(key, set)
    this.#evictUntilFits()
    return set.facts
  }

  async #read(db: Db, { organisationId, search }: CompanyFactScope, columns: CompanyFactTable): Promise<Int32Array> {
    const isIn = new Uint8Array(columns.projectCount)
    let lastId = ''
    for (;;) {
      const [page] = await db.query<{ n: number; ids: string | null }>(sql`
        select count(*)::int as n, string_agg(t.project_id, ',') as ids
        from (
          select m.project_id from ${projectMatchRowsSql(search.keyword_group__in)}
          where ${organisationReportMatchCondition(organisationId, search.keyword_group__in)} and m.project_id > ${lastId}::text
          order by m.project_id limit ${MATCHES_PER_STATEMENT}::int
        ) t`)
      const ids = page!.ids?.split(',') ?? []
      for (const id of ids) {
        const key = encodeProjectKey(id)
        const project = key === undefined ? undefined : columns.projects.get(key)
        if (project !== undefined) isIn[project] = 1
      }
      if (ids.length < MATCHES_PER_STATEMENT) break
      lastId = ids.at(-1)!
      await yieldToEventLoop()
    }
    let size = 0
    for (let fact = 0; fact < columns.size; fact += 1) size += isIn[columns.project[fact]!]!
    const facts = new Int32Array(size)
    let next = 0
    for (let fact = 0; fact < columns.size; fact += 1) {
      if (isIn[columns.project[fact]!] === 1) {
        facts[next] = fact
        next += 1
      }
    }
    return facts
  }

  #evictUntilFits(): void {
    let bytes = [...this.#sets.values()].reduce((sum, { facts }) => sum + facts.byteLength, 0)
    for (const [key, { facts }] of this.#sets) {
      if (bytes <= MAX_BYTES || this.#sets.size === 1) return
      this.#sets.delete(key)
      bytes -= facts.byteLength
    }
  }
}
