import sql from 'sql-template-tag'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** A purchasing unit (`deptsubId`, ten digits) and the name of its agency. */
export type PurchasingUnit = { readonly code: string; readonly agencyName: string }

export type PurchasingUnitImportReport = {
  readonly read: number
  readonly broken: number
  readonly units: number
  /** Number of units whose agency is unknown or ambiguous. */
  readonly unplaced: number
  readonly seconds: number
}

/**
 * Replaces the purchasing units, which are queried for days with more items than one response can contain. An ambiguous
 * agency name (4,498 names) is resolved by the unit code, which starts with the agency's code; units that remain
 * ambiguous are omitted. Returns the number of stored units.
 */
export async function replacePurchasingUnits(tx: Db, units: readonly PurchasingUnit[]): Promise<number> {
  const rows = [...new Map(units.map((unit) => [unit.code, unit])).values()].map(({ code, agencyName }) => ({
    code,
    name_key: toNormalisedSearchText(agencyName),
  }))
  await tx.execute(sql`delete from intake_units`)
  return await tx.execute(
    sql`
    with fitting as (
      select u.code as unit, a.code as agency, starts_with(u.code, a.code) as begins, count(*) over (partition by u.code) as agencies
      from json_to_recordset(${JSON.stringify(rows)}::json) as u (code text, name_key text) join intake_agencies a on a.name_key = u.name_key
    )
    insert into intake_units (agency, code)
    select distinct on (unit) agency, unit from fitting where agencies = 1 or begins order by unit, length(agency) desc`,
    { timeoutMs: 0 },
  )
}
