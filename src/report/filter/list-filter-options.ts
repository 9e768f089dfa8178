import type { FacetOption } from '#contract/report/report.ts'
import type { ReportListFilterChoice } from '#contract/report/report-list-filter-choices.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { setListValues } from '#src/lib/set-list-values.ts'

export type ListFilterOption = ReportListFilterChoice & { readonly count: number; readonly selected: boolean }

/** First the known options, then values from the feed, then unknown values from the URL. */
export function buildListFilterOptions(
  choices: readonly ReportListFilterChoice[],
  facets: readonly FacetOption[] | undefined,
  filter: ListFilterValue | undefined,
  textOf: (code: string) => string = (code) => code,
): ListFilterOption[] {
  const counts = new Map(facets?.map(({ value, count }) => [value, count]))
  const selected = new Set(filter?.values)
  const codes = new Set([...choices.map(({ code }) => code), ...counts.keys(), ...selected])
  const texts = new Map(choices.map(({ code, th }) => [code, th]))
  return [...codes].map((code) => ({
    code,
    th: texts.get(code) ?? textOf(code),
    count: counts.get(code) ?? 0,
    selected: selected.has(code),
  }))
}

/** Returns the options with the most projects, in that order, and every selected one. */
export const takeShortList = (options: readonly ListFilterOption[], length: number): ListFilterOption[] =>
  options.toSorted((a, b) => b.count - a.count).filter(({ selected }, index) => index < length || selected)

export function toggleFilterValues(
  filter: ListFilterValue | undefined,
  values: readonly string[],
  on: boolean,
  negated: boolean,
): ListFilterValue | undefined {
  const selected = setListValues(filter?.values, values, on)
  return selected && { values: selected, negated }
}
