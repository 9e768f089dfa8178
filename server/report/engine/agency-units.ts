import { formatDistinctAgencyName } from '#contract/catalogue/agency-name.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'

/** A purchasing unit as agency filters see it. Purchases without a named unit count under the agency's name. */
export type AgencyUnit = {
  readonly name: string
  /** `formatDistinctAgencyName` of the name. */
  readonly agency: string
  readonly unit: string
}

type StoredUnit = { readonly name: string; readonly sub_name: string; readonly province: number | null }

export const toAgencyUnit = ({ name, sub_name: unit, province }: StoredUnit): AgencyUnit => ({
  name,
  agency: formatDistinctAgencyName(name, province === null ? null : (findProvinceByCode(province)?.th ?? null)),
  unit: unit || name,
})

/** The purchasing units by the number of their department in the project columns. */
export class AgencyUnits {
  readonly byNumber: AgencyUnit[] = [{ name: '', agency: '', unit: '' }]
  /** Names that many units share, so that each is stored once. */
  readonly #texts = new Map<string, string>()

  set(number: number, stored: StoredUnit): void {
    const { name, agency, unit } = toAgencyUnit(stored)
    this.byNumber[number] = { name: this.#shared(name), agency: this.#shared(agency), unit: this.#shared(unit) }
  }

  #shared(text: string): string {
    const existing = this.#texts.get(text)
    if (existing !== undefined) return existing
    this.#texts.set(text, text)
    return text
  }
}
