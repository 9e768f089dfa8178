import type { FigureScopeSearch } from '#contract/market/company-params.ts'

export type FigureScopeChange = {
  readonly [Name in keyof FigureScopeSearch]?: FigureScopeSearch[Name] | undefined
}

export const SCOPE_LISTS = [
  'keyword_group__in',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly (keyof FigureScopeSearch)[]
export type ScopeListParam = (typeof SCOPE_LISTS)[number]

/**
 * Changes one list. Keyword groups only exist for our projects, so choosing one switches the universe to `watch`; the
 * switch must not show "all projects" over figures that are not.
 */
export function scopeListChange(name: ScopeListParam, values: readonly string[] | undefined): FigureScopeChange {
  return name === 'keyword_group__in' && values ? { [name]: values, scope: 'watch' } : { [name]: values }
}

export function withScopeValue(
  values: readonly string[] | undefined,
  value: string,
  on: boolean,
): readonly string[] | undefined {
  const remainder = (values ?? []).filter((item) => item !== value)
  const next = on ? [...remainder, value] : remainder
  return next.length > 0 ? next : undefined
}
