import { BUDGET_LEVELS, type BudgetLevel } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { pickSearch, type RouteSearch, type SearchPatch } from '#src/lib/typed-search.ts'

export type BudgetSearchPatch = SearchPatch<BudgetSearch>

const BUDGET_PATH_LEVELS = BUDGET_LEVELS.filter((level): level is BudgetPathLevel => level !== 'item')
export type BudgetPathLevel = Exclude<BudgetLevel, 'item'>

export const BUDGET_FILTER_PARAMS = ['q', 'category', 'amount__range', 'keyword__in', 'state'] as const

/** Resets to page 1 unless the patch sets a page, and drops ignored parameters. Opening an item changes only `item`. */
export function applyBudgetUrlPatch(
  search: RouteSearch<BudgetSearch>,
  patch: BudgetSearchPatch,
): SearchPatch<RouteSearch<BudgetSearch>> {
  const isPanel = Object.keys(patch).every((name) => name === 'item')
  return isPanel ? { ...search, ...patch } : { ...pickSearch<BudgetSearch>(search), page: undefined, ...patch }
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
