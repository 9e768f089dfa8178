import type { FigureScopeSearch } from '#contract/market/company-params.ts'

/** What changes in the address; undefined takes a parameter out of it. */
export type FigureScopeChange = {
  readonly [Name in keyof FigureScopeSearch]?: FigureScopeSearch[Name] | undefined
}

/** Parameters of the scope that are lists of values. */
export const SCOPE_LISTS = [
  'keyword_group__in',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly (keyof FigureScopeSearch)[]
export type ScopeListParam = (typeof SCOPE_LISTS)[number]

/**
 * A change of one list. Groups of watch words are of our projects alone, so choosing one makes these the universe: the switch never says "all
 * projects" over figures that are not of all.
 */
export function scopeListChange(name: ScopeListParam, values: readonly string[] | undefined): FigureScopeChange {
  return name === 'keyword_group__in' && values ? { [name]: values, scope: 'watch' } : { [name]: values }
}

/** The list with a value put in or taken out; an empty list is no filter. */
export function withScopeValue(
  values: readonly string[] | undefined,
  value: string,
  on: boolean,
): readonly string[] | undefined {
  const rest = (values ?? []).filter((other) => other !== value)
  const next = on ? [...rest, value] : rest
  return next.length > 0 ? next : undefined
}
