import { formatAgencyUnit } from '#contract/catalogue/agency-name.ts'
import { type AgencyOptions, type FacetOption, MAX_AGENCY_OPTIONS } from '#contract/report/report.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { CountedAgencyUnit } from './agency-unit.ts'
import { toFacetOptions } from './report-filter.ts'

type AgencyOptionQuery = { readonly text: string; readonly selected: readonly string[] }

/**
 * Returns the agencies with most projects. With a text, returns those agencies and units whose names contain each of its
 * words.
 */
export function toAgencyOptions(
  units: readonly CountedAgencyUnit[],
  { text, selected }: AgencyOptionQuery,
): AgencyOptions {
  const words = text.split(/\s+/).flatMap((word) => toNormalisedSearchText(word) || [])
  const options = toFacetOptions(words.length === 0 ? countAgencies(units) : searchAgencies(units, words))
  const largest = options.slice(0, MAX_AGENCY_OPTIONS)
  const values = new Set(largest.map(({ value }) => value))
  const selectedOptions = countSelected(units, new Set(selected)).filter(({ value }) => !values.has(value))
  return { total: options.length, results: [...largest, ...selectedOptions] }
}

type CountedValue = readonly [value: string, count: number]

const countAgencies = (units: readonly CountedAgencyUnit[]) =>
  units.map(({ agency, count }): CountedValue => [agency, count])

function searchAgencies(units: readonly CountedAgencyUnit[], words: readonly string[]): CountedValue[] {
  const counted: CountedValue[] = []
  for (const [agency, group] of Map.groupBy(units, (unit) => unit.agency)) {
    const agencyText = toNormalisedSearchText(agency)
    const missing = words.filter((word) => !agencyText.includes(word))
    if (missing.length === 0) counted.push(...countAgencies(group))
    for (const { name, unit, count, searchText } of group)
      if (unit !== name && missing.every((word) => searchText.includes(word)))
        counted.push([formatAgencyUnit(agency, unit), count])
  }
  return counted
}

function countSelected(units: readonly CountedAgencyUnit[], selected: ReadonlySet<string>): FacetOption[] {
  if (selected.size === 0) return []
  return toFacetOptions(
    units.flatMap(({ name, agency, unit, count }) =>
      [...new Set([name, agency, formatAgencyUnit(name, unit), formatAgencyUnit(agency, unit)])].map(
        (value): CountedValue => [selected.has(value) ? value : '', count],
      ),
    ),
  ).filter(({ value }) => value !== '')
}
