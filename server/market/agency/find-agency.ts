import sql from 'sql-template-tag'
import { formatAgencyName, isLocalGovernmentName, parseAgencyName } from '#contract/catalogue/agency-name.ts'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'

export type ResolvedAgency = {
  readonly code: string | null
  readonly name: string
  readonly text: string
  readonly province: string | null
  readonly ministry: string | null
  readonly same_name: { readonly code: string | null; readonly text: string; readonly province: string | null }[]
  readonly units: readonly StoredAgencyUnit[]
}

export type StoredAgencyUnit = { readonly id: number; readonly sub_name: string; readonly province: number | null }
type StoredCode = { readonly code: string; readonly name: string; readonly province: number | null }
type UnitWithPlace = StoredAgencyUnit & { readonly place: number | null; readonly agency: string }

/**
 * Finds an agency by e-GP code, otherwise by name (with the province when several provinces have that name). Returns
 * undefined when neither the projects nor the directory contain it. In the real directory, 4,498 names are shared by
 * several agencies. A code or a province selects the agency in that province; a name alone selects all of them.
 */
export async function findAgency(db: Db, codeOrName: string): Promise<ResolvedAgency | undefined> {
  const lookup = isAgencyCode(codeOrName)
    ? await lookUpCode(db, codeOrName)
    : await lookUpText(db, decodeNameFromUrlPath(codeOrName))
  if (lookup === undefined) return undefined
  const { name, codes, units, place } = lookup
  if (codes.length === 0 && units.length === 0) return undefined
  const bodies = bodiesOf(codes, units)
  // Agencies with a local name, or whose code in the directory has a province.
  const isLocal = isLocalGovernmentName(name) || codes.some(({ province }) => province !== null)
  const isOneOfSeveral = bodies.length > 1 && isLocal
  const isInNamedProvince = isOneOfSeveral
    ? bodies.some((candidate) => candidate.place === place)
    : (bodies[0]!.place ?? place) === place
  if (lookup.namesProvince && !(isLocal && isInNamedProvince)) return undefined
  const body = isOneOfSeveral && place !== undefined ? bodies.find((candidate) => candidate.place === place) : undefined
  const possibleCodes = body?.codes ?? codes
  const code =
    codes.find((candidate) => candidate.code === codeOrName) ??
    (possibleCodes.length === 1 ? possibleCodes[0] : undefined)
  const [directoryEntry] = await db.query<{ ministry: string }>(
    sql`select a.ministry from agency_directory a where a.name_key = ${toNormalisedSearchText(name)}::text`,
  )
  return {
    code: code?.code ?? null,
    name,
    text: body ? formatAgencyName(name, getProvinceName(body.place)) : name,
    province: body ? getProvinceName(body.place) : null,
    ministry: directoryEntry?.ministry ?? null,
    same_name: isOneOfSeveral
      ? bodies.flatMap((candidate): ResolvedAgency['same_name'] => {
          const province = getProvinceName(candidate.place)
          const text = formatAgencyName(name, province)
          return candidate.codes.length === 0
            ? [{ code: null, text, province }]
            : candidate.codes.map((entry) => ({ code: entry.code, text, province }))
        })
      : codes.map((entry) => ({ code: entry.code, text: name, province: getProvinceName(entry.province) })),
    units: body ? units.filter((unit) => unit.place === body.place) : units,
  }
}

/** Agencies of one name in one province. */
type Body = { readonly place: number | null; readonly codes: readonly StoredCode[] }

function bodiesOf(codes: readonly StoredCode[], units: readonly UnitWithPlace[]): Body[] {
  const provinces = new Set([...codes.map(({ province }) => province), ...units.map(({ place }) => place)])
  return [...provinces].map((place) => ({ place, codes: codes.filter(({ province }) => province === place) }))
}

type AgencyLookup = {
  readonly name: string
  readonly codes: readonly StoredCode[]
  readonly units: readonly UnitWithPlace[]
  /** Province of the requested agency: null if unknown, undefined for every agency of this name. */
  readonly place: number | null | undefined
  readonly namesProvince: boolean
}

async function lookUpName(db: Db, name: string): Promise<Pick<AgencyLookup, 'name' | 'codes' | 'units'>> {
  const codes = await db.query<StoredCode>(
    sql`select c.code, c.name, c.province from agency_codes c where c.name = ${name}::text order by c.code`,
  )
  const units = await db.query<UnitWithPlace>(
    sql`select d.id, d.sub_name, d.province, d.place, d.agency from ${purchasingUnitsWithAgencySql(sql`unit.name = ${name}::text`)} d order by d.id`,
  )
  return { name, codes, units }
}

async function lookUpCode(db: Db, code: string): Promise<AgencyLookup | undefined> {
  const [row] = await db.query<StoredCode>(
    sql`select c.code, c.name, c.province from agency_codes c where c.code = ${code}::text`,
  )
  return row && { ...(await lookUpName(db, row.name)), place: row.province ?? undefined, namesProvince: false }
}

async function lookUpText(db: Db, text: string): Promise<AgencyLookup> {
  const exactLookup = await lookUpName(db, text)
  const parsed = parseAgencyName(text)
  if (parsed === undefined || exactLookup.codes.length + exactLookup.units.length > 0)
    return { ...exactLookup, place: undefined, namesProvince: false }
  return { ...(await lookUpName(db, parsed.name)), place: parsed.province, namesProvince: true }
}

/**
 * Returns the ids of the units with this name (all units when undefined). Purchases without a unit name count under the
 * agency's name.
 */
export function findAgencyUnitIds({ name, units }: ResolvedAgency, unit: string | undefined): number[] {
  const isRequested = ({ sub_name }: StoredAgencyUnit) => unit === undefined || (sub_name || name) === unit
  return units.filter(isRequested).map(({ id }) => id)
}
