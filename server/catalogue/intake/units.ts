import sql from 'sql-template-tag'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** A purchasing unit (`deptsubId`, ten digits) and the name of the agency that it buys for. */
export type Unit = { readonly code: string; readonly agencyName: string }

/** The result of an import of units. */
export type UnitReport = {
  /** Rows of the file, those that could not be read included. */
  readonly read: number
  readonly broken: number
  readonly units: number
  /** Rows whose agency is not known, or whose name stands for several of which none begins the unit's code. */
  readonly unplaced: number
  readonly seconds: number
}

/**
 * Replaces the units by which agencies are asked on days too full for one answer. A name that stands for several agencies (4,498 do) is decided by the
 * unit's code, which begins with that of its agency; where that decides nothing, the unit is left out. Answers how many are stored.
 */
export async function replaceUnits(tx: Db, units: readonly Unit[]): Promise<number> {
  const rows = [...new Map(units.map((unit) => [unit.code, unit])).values()].map(({ code, agencyName }) => ({
    code,
    name_key: searchForm(agencyName),
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
