import { BUDGET_LEVELS, type BudgetLevel } from '#contract/market/budget.ts'
import {
  type BudgetParamName,
  type BudgetSearch,
  formatBudgetSearch,
  parseBudgetSearch,
} from '#contract/market/budget-params.ts'
import type { FlatSearchParams } from '#src/lib/flat-search-params.ts'

export type BudgetSearchPatch = { readonly [N in BudgetParamName]?: BudgetSearch[N] | undefined }
export type ChangeBudgetSearchFn = (patch: BudgetSearchPatch, historyMode?: 'push' | 'replace') => void

export const BUDGET_PATH_LEVELS = BUDGET_LEVELS.filter((level): level is BudgetPathLevel => level !== 'item')
export type BudgetPathLevel = Exclude<BudgetLevel, 'item'>

export const BUDGET_FILTER_PARAMS = ['q', 'category', 'amount__range', 'keyword__in', 'state'] as const

/**
 * Returns the changed URL parameters. Resets to page 1 unless the patch sets a page, and drops unsupported parameters.
 * Opening an item changes only `item`.
 */
export function applyBudgetUrlPatch(flat: FlatSearchParams, patch: BudgetSearchPatch): Record<string, string> {
  const isPanel = Object.keys(patch).every((name) => name === 'item')
  const { search } = parseBudgetSearch(flat)
  const { page: _page, ...scopeSearch } = search
  const next = Object.fromEntries(
    Object.entries({ ...(isPanel ? search : scopeSearch), ...patch }).filter(([, value]) => value !== undefined),
  )
  const printed = formatBudgetSearch(next as BudgetSearch)
  if (!isPanel) return printed
  return { ...Object.fromEntries(Object.entries(flat).filter(([name]) => name !== 'item')), ...printed }
}

/** Returns the drill-down path: each named level whose parents are also named. */
export function getBudgetPath(search: BudgetSearch): { readonly level: BudgetPathLevel; readonly name: string }[] {
  const path: { level: BudgetPathLevel; name: string }[] = []
  for (const level of BUDGET_PATH_LEVELS) {
    const name = search[level]
    if (name === undefined) break
    path.push({ level, name })
  }
  return path
}

export function getNextBudgetLevel(search: BudgetSearch): BudgetLevel {
  return BUDGET_LEVELS[getBudgetPath(search).length] ?? 'item'
}

export function buildBudgetLevelPatch(level: BudgetPathLevel | undefined, name?: string): BudgetSearchPatch {
  const at = level === undefined ? -1 : BUDGET_PATH_LEVELS.indexOf(level)
  const below = BUDGET_PATH_LEVELS.slice(at + 1).map((pathLevel) => [pathLevel, undefined] as const)
  const chosen = level !== undefined && name !== undefined ? [[level, name] as const] : []
  return Object.fromEntries([...below, ...chosen, ['item', undefined]])
}

export const CLEARED_BUDGET_FILTERS_PATCH: BudgetSearchPatch = Object.fromEntries(
  BUDGET_FILTER_PARAMS.map((name) => [name, undefined]),
)
