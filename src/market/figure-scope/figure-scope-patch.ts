import type { FigureScopeSearch } from '#contract/market/company-params.ts'

export type FigureScopePatch = {
  readonly [Name in keyof FigureScopeSearch]?: FigureScopeSearch[Name] | undefined
}

export const FIGURE_SCOPE_LIST_PARAMS = [
  'keyword_group__in',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly (keyof FigureScopeSearch)[]
export type FigureScopeListParam = (typeof FIGURE_SCOPE_LIST_PARAMS)[number]

/**
 * Returns the change of one filter list. Keyword groups exist only for our own projects, so choosing one also switches
 * the scope to our projects (`watch`); otherwise the switch would read "all projects" over figures of ours only.
 */
export function buildFigureScopeListPatch(
  name: FigureScopeListParam,
  values: readonly string[] | undefined,
): FigureScopePatch {
  return name === 'keyword_group__in' && values ? { [name]: values, scope: 'watch' } : { [name]: values }
}

export function withFigureScopeValue(
  values: readonly string[] | undefined,
  value: string,
  on: boolean,
): readonly string[] | undefined {
  const remainder = (values ?? []).filter((item) => item !== value)
  const next = on ? [...remainder, value] : remainder
  return next.length > 0 ? next : undefined
}
