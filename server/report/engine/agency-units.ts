import { type AgencyUnit, type StoredAgencyUnit, toAgencyUnit } from '#server/report/agency-unit.ts'

export class AgencyUnits {
  readonly byNumber: AgencyUnit[] = [{ name: '', agency: '', unit: '' }]
  /** Names that many units share, so that each is stored once. */
  readonly #texts = new Map<string, string>()

  set(number: number, stored: StoredAgencyUnit): void {
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
