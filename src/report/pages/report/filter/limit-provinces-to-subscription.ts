import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'

const PROVINCE_PARAMS = ['project_province__in', 'project_province_dept_sub__in'] as const

/** Removes provinces outside the subscription, e.g. from another organisation's link, and returns their names. */
export function limitProvincesToSubscription(search: ReportSearch, areas: Readonly<Record<string, readonly string[]>>) {
  const allowed = new Set(Object.values(areas).flat())
  const outsideProvinces = new Set<string>()
  const narrowedFilters: Partial<Record<(typeof PROVINCE_PARAMS)[number], ListFilterValue | undefined>> = {}
  for (const name of PROVINCE_PARAMS) {
    const filter = search[name]
    const foreign = filter?.values.filter((province) => !allowed.has(province)) ?? []
    if (!filter || foreign.length === 0) continue
    for (const province of foreign) outsideProvinces.add(province)
    const values = filter.values.filter((province) => allowed.has(province))
    narrowedFilters[name] = values.length === 0 ? undefined : { ...filter, values }
  }
  if (outsideProvinces.size === 0) return { search, outsideProvinces: [] as string[] }
  const entries = Object.entries({ ...search, ...narrowedFilters }).filter(([, value]) => value !== undefined)
  return { search: Object.fromEntries(entries) as ReportSearch, outsideProvinces: [...outsideProvinces] }
}
