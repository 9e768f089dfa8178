import type { ReportParam } from '#contract/report/report-param-kinds.ts'
import { REPORT_PARAMS, type ReportFilterName, type ReportSearch } from '#contract/report/report-params.ts'

type Section = {
  readonly id: string
  readonly title: string
  readonly names: readonly ReportFilterName[]
  readonly isOpen: boolean
  /** True if all its filters are about the team's work, which the demo does not have. */
  readonly isOfTeam: boolean
}

const SHARED_SECTION_TITLES: Readonly<Record<string, string>> = { marks: 'ดาวและป้ายกำกับ', pursuit: 'งานของทีม' }

const params: readonly ReportParam[] = REPORT_PARAMS
const inPanel = params
  .flatMap(({ panel, ...param }) => (panel ? [{ ...param, panel }] : []))
  .sort((a, b) => a.panel.order - b.panel.order)

/** Sections of the filter panel, as the catalogue of parameters declares them. */
export const FILTER_PANEL_SECTIONS: readonly Section[] = Array.from(
  Map.groupBy(inPanel, ({ name, panel }) => panel.section ?? name),
  ([id, filters]): Section => {
    const [{ th, panel }] = filters as [(typeof inPanel)[number]]
    return {
      id,
      title: SHARED_SECTION_TITLES[id] ?? panel.title ?? th,
      names: filters.map(({ name }) => name as ReportFilterName),
      isOpen: panel.isOpen ?? false,
      isOfTeam: filters.every(({ owner }) => owner === 'team'),
    }
  },
)

export function countActiveFilterValues({ names }: Pick<Section, 'names'>, search: ReportSearch): number {
  return names.reduce((sum, name) => {
    const value = search[name]
    if (value === undefined) return sum
    return sum + (typeof value === 'object' && 'values' in value ? value.values.length : 1)
  }, 0)
}
