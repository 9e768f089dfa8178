import sql from 'sql-template-tag'
import { isAgencyCode } from '#contract/company/agency-params.ts'
import { provinceCoded } from '#contract/project/province.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/engine/db.ts'
import { nameInAddress } from '#server/features/company/find-company.ts'

/** An agency with the ids of its purchasing units; none where no project of it was loaded. */
export type FoundAgency = {
  readonly code: string | null
  readonly name: string
  readonly province: string | null
  readonly ministry: string | null
  readonly same_name: { readonly code: string; readonly province: string | null }[]
  readonly units: readonly StoredUnit[]
}

export type StoredUnit = { readonly id: number; readonly sub_name: string; readonly province: number | null }
type StoredCode = { readonly code: string; readonly name: string; readonly province: number | null }

const provinceText = (code: number | null) => (code === null ? null : (provinceCoded(code)?.th ?? null))

/**
 * The agency that a part of an address names: by its code of e-GP, else by its exact name. Undefined where neither a project nor the directory knows it.
 *
 * 4,498 names of the real directory stand for several bodies. Their codes lead to what lies in the province of each; the name alone leads to all of them.
 */
export async function findAgency(db: Db, part: string): Promise<FoundAgency | undefined> {
  const name = isAgencyCode(part) ? await nameOfCode(db, part) : nameInAddress(part)
  if (name === undefined) return undefined
  const codes = await db.query<StoredCode>(
    sql`select c.code, c.name, c.province from agency_codes c where c.name = ${name}::text order by c.code`,
  )
  const all = await db.query<StoredUnit>(
    sql`select d.id, d.sub_name, d.province from departments d where d.name = ${name}::text order by d.id`,
  )
  if (codes.length === 0 && all.length === 0) return undefined
  const asked = codes.find(({ code }) => code === part) ?? (codes.length === 1 ? codes[0] : undefined)
  const isOneOfSeveral = new Set(codes.map(({ province }) => province)).size > 1
  const place = isOneOfSeveral ? (asked?.province ?? null) : null
  const [known] = await db.query<{ ministry: string }>(
    sql`select a.ministry from agency_directory a where a.name_key = ${searchForm(name)}::text`,
  )
  return {
    code: asked?.code ?? null,
    name,
    province: provinceText(place),
    ministry: known?.ministry ?? null,
    same_name: codes.map(({ code, province }) => ({ code, province: provinceText(province) })),
    units: place === null ? all : all.filter(({ province }) => province === place),
  }
}

async function nameOfCode(db: Db, code: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(sql`select c.name from agency_codes c where c.code = ${code}::text`)
  return row?.name
}

/** Ids of the units of this name; the agency's own name stands for what it buys without naming a unit. All of them where none is asked for. */
export function unitIds({ name, units }: FoundAgency, unit: string | undefined): number[] {
  const isAsked = ({ sub_name }: StoredUnit) => unit === undefined || (sub_name || name) === unit
  return units.filter(isAsked).map(({ id }) => id)
}
