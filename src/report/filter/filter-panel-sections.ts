import type { ReportParam } from '#contract/report/report-param-kinds.ts'
import {
  findReportParam,
  REPORT_CONFIDENTIAL_PARAMS,
  REPORT_PARAMS,
  type ReportFilterName,
  type ReportSearch,
} from '#contract/report/report-params.ts'

export type FilterPanelSection = {
  readonly id: string
  readonly title: string
  readonly names: readonly ReportFilterName[]
  readonly isPrimary: boolean
  /** True if all its filters read private data of the organisation, which the demo does not have. */
  readonly isConfidential: boolean
}

const SHARED_SECTION_TITLES: Readonly<Record<string, string>> = { marks: 'ดาวและป้ายกำกับ', pursuit: 'งานของทีม' }

const params: readonly ReportParam[] = REPORT_PARAMS
const inPanel = params
  .flatMap(({ panel, ...param }) => (panel ? [{ ...param, panel }] : []))
  .sort((a, b) => a.panel.order - b.panel.order)

export const FILTER_PANEL_SECTIONS: readonly FilterPanelSection[] = Array.from(
  Map.groupBy(inPanel, ({ name, panel }) => panel.section ?? name),
  ([id, filters]): FilterPanelSection => {
    const [{ th, panel }] = filters as [(typeof inPanel)[number]]
    return {
      id,
      title: SHARED_SECTION_TITLES[id] ?? panel.title ?? th,
      names: filters.map(({ name }) => name as ReportFilterName),
      isPrimary: panel.isPrimary ?? false,
      isConfidential: filters.every(({ name }) => REPORT_CONFIDENTIAL_PARAMS.some((param) => param === name)),
    }
  },
)

type SectionNames = Pick<FilterPanelSection, 'names'>

export const countActiveFilters = ({ names }: SectionNames, search: ReportSearch): number =>
  names.filter((name) => search[name] !== undefined).length

export function countActiveFilterValues({ names }: SectionNames, search: ReportSearch): number {
  return names.reduce((sum, name) => {
    const value = search[name]
    if (value === undefined) return sum
    // The address abbreviates the provinces of a whole region, which the user ticked as one.
    return (
      sum +
      (typeof value === 'object' && 'negated' in value
        ? (findReportParam(name).groups?.close(value.values) ?? value.values).length
        : 1)
    )
  }, 0)
}
