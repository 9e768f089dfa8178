import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'

export type CompanyFactLookups = {
  readonly methods: ReadonlyMap<string, number>
  readonly types: ReadonlyMap<string, number>
  readonly texts: ReadonlyMap<number, string>
  /** Maps a department id to a number that all units of the agency share. */
  readonly departments: Int32Array
  readonly memoryBytes: number
}

const numbers = (text: string) => (text === '' ? [] : text.split(',').map(Number))

export async function loadCompanyFactLookups(db: Db): Promise<CompanyFactLookups> {
  const values = await db.query<{ id: number; kind: string; value: string }>(
    sql`select v.id, v.kind, v.value from match_values v where v.kind in ('method', 'method_type')`,
  )
  const [stored] = await db.query<{ ids: string; places: string }>(
    sql`
      select coalesce(string_agg(d.id::text, ','), '') as ids, coalesce(string_agg(d.place::text, ','), '') as places
      from (select o.id, dense_rank() over (order by o.agency collate "C") as place from ${purchasingUnitsWithAgencySql()} o) d`,
    { timeoutMs: 0 },
  )
  const [ids, agencyNumbers] = [numbers(stored!.ids), numbers(stored!.places)]
  const departments = new Int32Array(ids.reduce((maxId, id) => Math.max(maxId, id), 0) + 1)
  for (const [at, id] of ids.entries()) departments[id] = agencyNumbers[at]!
  const of = (kind: string) =>
    new Map(values.filter((value) => value.kind === kind).map(({ id, value }) => [value, id]))
  return {
    methods: of('method'),
    types: of('method_type'),
    texts: new Map(values.map(({ id, value }) => [id, value])),
    departments,
    memoryBytes: departments.byteLength,
  }
}
