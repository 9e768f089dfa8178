import type { ListFilter } from '#contract/report/report-param-kinds.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'

export const PROVINCE_PARAMS = ['project_province__in', 'project_province_dept_sub__in'] as const

export type Packaged = {
  /** The search without provinces outside the package, as sent to the server. */
  readonly search: ReportSearch
  readonly outside: readonly string[]
}

/** Removes provinces outside the package, e.g. from another organisation's link, and returns their names. */
export function withinPackage(search: ReportSearch, areas: Readonly<Record<string, readonly string[]>>): Packaged {
  const allowed = new Set(Object.values(areas).flat())
  const outside = new Set<string>()
  const kept: Partial<Record<(typeof PROVINCE_PARAMS)[number], ListFilter | undefined>> = {}
  for (const name of PROVINCE_PARAMS) {
    const filter = search[name]
    const foreign = filter?.values.filter((province) => !allowed.has(province)) ?? []
    if (!filter || foreign.length === 0) continue
    for (const province of foreign) outside.add(province)
    const values = filter.values.filter((province) => allowed.has(province))
    kept[name] = values.length === 0 ? undefined : { ...filter, values }
  }
  if (outside.size === 0) return { search, outside: [] }
  const entries = Object.entries({ ...search, ...kept }).filter(([, value]) => value !== undefined)
  return { search: Object.fromEntries(entries) as ReportSearch, outside: [...outside] }
}
