import { BUDGET_LEVELS, type BudgetLevel } from '#contract/market/budget.ts'
import {
  type BudgetParamName,
  type BudgetSearch,
  parseBudgetSearch,
  printBudgetSearch,
} from '#contract/market/budget-params.ts'
import type { FlatSearch } from '#src/lib/search-text.ts'

export type BudgetPatch = { readonly [N in BudgetParamName]?: BudgetSearch[N] | undefined }
export type ChangeBudget = (patch: BudgetPatch, historyMode?: 'push' | 'replace') => void

export const PATH_LEVELS = BUDGET_LEVELS.filter((level): level is PathLevel => level !== 'item')
export type PathLevel = Exclude<BudgetLevel, 'item'>

export const FILTER_PARAMS = ['q', 'category', 'amount__range', 'keyword__in', 'state'] as const

/**
 * Returns the changed address. Resets to page 1 unless the patch sets a page, and drops unsupported parameters. Opening
 * an item only changes `item`.
 */
export function changeBudgetAddress(flat: FlatSearch, patch: BudgetPatch): Record<string, string> {
  const isPanel = Object.keys(patch).every((name) => name === 'item')
  const { search } = parseBudgetSearch(flat)
  const { page: _page, ...scopeSearch } = search
  const next = Object.fromEntries(
    Object.entries({ ...(isPanel ? search : scopeSearch), ...patch }).filter(([, value]) => value !== undefined),
  )
  const printed = printBudgetSearch(next as BudgetSearch)
  if (!isPanel) return printed
  return { ...Object.fromEntries(Object.entries(flat).filter(([name]) => name !== 'item')), ...printed }
}

/** Returns the drill-down path: each named level whose parents are also named. */
export function pathOf(search: BudgetSearch): { readonly level: PathLevel; readonly name: string }[] {
  const path: { level: PathLevel; name: string }[] = []
  for (const level of PATH_LEVELS) {
    const name = search[level]
    if (name === undefined) break
    path.push({ level, name })
  }
  return path
}

export function levelBelow(search: BudgetSearch): BudgetLevel {
  return BUDGET_LEVELS[pathOf(search).length] ?? 'item'
}

export function levelPatch(level: PathLevel | undefined, name?: string): BudgetPatch {
  const at = level === undefined ? -1 : PATH_LEVELS.indexOf(level)
  const below = PATH_LEVELS.slice(at + 1).map((pathLevel) => [pathLevel, undefined] as const)
  const chosen = level !== undefined && name !== undefined ? [[level, name] as const] : []
  return Object.fromEntries([...below, ...chosen, ['item', undefined]])
}

export const NO_FILTERS: BudgetPatch = Object.fromEntries(FILTER_PARAMS.map((name) => [name, undefined]))
