import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'

export type StatisticsScopePatch = {
  readonly [Name in keyof StatisticsScopeSearch]?: StatisticsScopeSearch[Name] | undefined
}

export const STATISTICS_SCOPE_LIST_PARAMS = [
  'keyword_group__in',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly (keyof StatisticsScopeSearch)[]
export type StatisticsScopeListParam = (typeof STATISTICS_SCOPE_LIST_PARAMS)[number]

/**
 * Returns the change of one filter list. Keyword groups exist only for our own projects, so choosing one also switches
 * the scope to our projects (`watch`); otherwise the switch would read "all projects" over figures of ours only.
 */
export function buildStatisticsScopeListPatch(
  name: StatisticsScopeListParam,
  values: readonly string[] | undefined,
): StatisticsScopePatch {
  return name === 'keyword_group__in' && values ? { [name]: values, scope: 'watch' } : { [name]: values }
}
