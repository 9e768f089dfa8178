import sql from 'sql-template-tag'
import { agencyText, isLocalBody, readAgencyText } from '#contract/catalogue/agency-name.ts'
import { companyNameOf } from '#contract/catalogue/company-address.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { provinceCoded } from '#contract/thai/province.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { agenciesSql } from '#server/platform/text/agency-sql.ts'

export type FoundAgency = {
  readonly code: string | null
  readonly name: string
  /** The name, with the province when the name is ambiguous (contract/catalogue/agency-name.ts). */
  readonly text: string
  readonly province: string | null
  readonly ministry: string | null
  readonly same_name: { readonly code: string | null; readonly text: string; readonly province: string | null }[]
  readonly units: readonly StoredUnit[]
}

export type StoredUnit = { readonly id: number; readonly sub_name: string; readonly province: number | null }
type StoredCode = { readonly code: string; readonly name: string; readonly province: number | null }
type PlacedUnit = StoredUnit & { readonly place: number | null; readonly agency: string }

const provinceText = (code: number | null) => (code === null ? null : (provinceCoded(code)?.th ?? null))

/**
 * Finds the agency of an address part: by e-GP code, else by name (with the province when several provinces have that
 * name). Undefined when neither projects nor the directory know it. 4,498 names in the real directory are shared by
 * several bodies. A code or a province selects the body in that province; a bare name selects all of them.
 */
export async function findAgency(db: Db, part: string): Promise<FoundAgency | undefined> {
  const asked = isAgencyCode(part) ? await ofCode(db, part) : await ofText(db, companyNameOf(part))
  if (asked === undefined) return undefined
  const { name, codes, all } = asked
  if (codes.length === 0 && all.length === 0) return undefined
  const bodies = bodiesOf(codes, all)
  const isOneOfSeveral = bodies.length > 1 && isLocal(name, codes)
  const [only] = bodies
  const isThere = isOneOfSeveral
    ? bodies.some(({ place }) => place === asked.place)
    : (only!.place ?? asked.place) === asked.place
  if (asked.isOfPlace && !(isLocal(name, codes) && isThere)) return undefined
  const body =
    isOneOfSeveral && asked.place !== undefined ? bodies.find(({ place }) => place === asked.place) : undefined
  const ofBody = body ? body.codes : codes
  const code = codes.find((one) => one.code === part) ?? (ofBody.length === 1 ? ofBody[0] : undefined)
  const [known] = await db.query<{ ministry: string }>(
    sql`select a.ministry from agency_directory a where a.name_key = ${searchForm(name)}::text`,
  )
  return {
    code: code?.code ?? null,
    name,
    text: body ? agencyText(name, provinceText(body.place)) : name,
    province: body ? provinceText(body.place) : null,
    ministry: known?.ministry ?? null,
    same_name: isOneOfSeveral
      ? bodies.flatMap(({ place, codes: own }): FoundAgency['same_name'] => {
          const province = provinceText(place)
          const text = agencyText(name, province)
          return own.length === 0
            ? [{ code: null, text, province }]
            : own.map((one) => ({ code: one.code, text, province }))
        })
      : codes.map((one) => ({ code: one.code, text: name, province: provinceText(one.province) })),
    units: body ? all.filter(({ place }) => place === body.place) : all,
  }
}

/** A body whose name does not look local is local when the directory has a code with a province for it. */
const isLocal = (name: string, codes: readonly StoredCode[]) =>
  isLocalBody(name) || codes.some(({ province }) => province !== null)

type Body = { readonly place: number | null; readonly codes: readonly StoredCode[] }

/** Returns the provinces that have a body of this name, according to the directory and to its purchases. */
function bodiesOf(codes: readonly StoredCode[], units: readonly PlacedUnit[]): Body[] {
  const places = new Set([...codes.map(({ province }) => province), ...units.map(({ place }) => place)])
  return [...places].map((place) => ({ place, codes: codes.filter(({ province }) => province === place) }))
}

type Asked = {
  readonly name: string
  readonly codes: readonly StoredCode[]
  readonly all: readonly PlacedUnit[]
  /** Province of the requested body; null: unknown; undefined: every body of this name. */
  readonly place: number | null | undefined
  /** The address names a province, so no other body matches. */
  readonly isOfPlace: boolean
}

async function ofName(db: Db, name: string): Promise<Pick<Asked, 'name' | 'codes' | 'all'>> {
  const codes = await db.query<StoredCode>(
    sql`select c.code, c.name, c.province from agency_codes c where c.name = ${name}::text order by c.code`,
  )
  const all = await db.query<PlacedUnit>(
    sql`select d.id, d.sub_name, d.province, d.place, d.agency from ${agenciesSql(sql`unit.name = ${name}::text`)} d order by d.id`,
  )
  return { name, codes, all }
}

async function ofCode(db: Db, code: string): Promise<Asked | undefined> {
  const [row] = await db.query<StoredCode>(
    sql`select c.code, c.name, c.province from agency_codes c where c.code = ${code}::text`,
  )
  return row && { ...(await ofName(db, row.name)), place: row.province ?? undefined, isOfPlace: false }
}

async function ofText(db: Db, text: string): Promise<Asked> {
  const whole = await ofName(db, text)
  const read = readAgencyText(text)
  if (read === undefined || whole.codes.length + whole.all.length > 0)
    return { ...whole, place: undefined, isOfPlace: false }
  return { ...(await ofName(db, read.name)), place: read.province, isOfPlace: true }
}

/**
 * Returns ids of the units with this name (all units when undefined). Purchases without a unit name count under the
 * agency's name.
 */
export function unitIds({ name, units }: FoundAgency, unit: string | undefined): number[] {
  const isAsked = ({ sub_name }: StoredUnit) => unit === undefined || (sub_name || name) === unit
  return units.filter(isAsked).map(({ id }) => id)
}
