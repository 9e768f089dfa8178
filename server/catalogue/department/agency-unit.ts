import { formatDistinctAgencyName } from '#contract/catalogue/agency-name.ts'
import { getProvinceName } from '#contract/thai/province.ts'

/** A purchasing unit as agency filters see it. Purchases without a named unit count under the agency's name. */
export type AgencyUnit = {
  readonly name: string
  /** From `formatDistinctAgencyName`. */
  readonly agency: string
  readonly unit: string
}

export type StoredAgencyUnit = { readonly name: string; readonly sub_name: string; readonly province: number | null }

export const toAgencyUnit = ({ name, sub_name: unit, province }: StoredAgencyUnit): AgencyUnit => ({
  name,
  agency: formatDistinctAgencyName(name, getProvinceName(province)),
  unit: unit || name,
})

/** A purchasing unit and its number of projects in a search. `searchText` joins its agency and name, normalised. */
export type CountedAgencyUnit = AgencyUnit & { readonly count: number; readonly searchText: string }
