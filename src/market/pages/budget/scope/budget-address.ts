import { BUDGET_LEVELS, type BudgetLevel } from '#contract/market/budget.ts'
import {
  type BudgetParamName,
  type BudgetSearch,
  parseBudgetSearch,
  printBudgetSearch,
} from '#contract/market/budget-params.ts'
import type { FlatSearch } from '#src/lib/search-text.ts'

/** A change of the page's search; a value of undefined removes the parameter. */
export type BudgetPatch = { readonly [N in BudgetParamName]?: BudgetSearch[N] | undefined }
export type ChangeBudget = (patch: BudgetPatch, how?: 'push' | 'replace') => void

/** Levels that stand in the address: all but the items themselves. */
export const PATH_LEVELS = BUDGET_LEVELS.filter((level): level is PathLevel => level !== 'item')
export type PathLevel = Exclude<BudgetLevel, 'item'>

/** Parameters that narrow the items down, besides the year, the scope and the way down. */
export const FILTER_PARAMS = ['q', 'category', 'amount__range', 'keyword__in', 'state'] as const

/**
 * The address after a change: page 1 unless the change names a page, and nothing that was ignored before is carried along. Opening an item
 * changes neither the rows nor what is said about them, so then all else stays.
 */
export function changeBudgetAddress(flat: FlatSearch, patch: BudgetPatch): Record<string, string> {
  const isPanel = Object.keys(patch).every((name) => name === 'item')
  const { search } = parseBudgetSearch(flat)
  const { page: _page, ...stays } = search
  const next = Object.fromEntries(
    Object.entries({ ...(isPanel ? search : stays), ...patch }).filter(([, value]) => value !== undefined),
  )
  const printed = printBudgetSearch(next as BudgetSearch)
  if (!isPanel) return printed
  return { ...Object.fromEntries(Object.entries(flat).filter(([name]) => name !== 'item')), ...printed }
}

/** Where the way down stands: each level that is named, as long as those above it are. */
export function pathOf(search: BudgetSearch): { readonly level: PathLevel; readonly name: string }[] {
  const path: { level: PathLevel; name: string }[] = []
  for (const level of PATH_LEVELS) {
    const name = search[level]
    if (name === undefined) break
    path.push({ level, name })
  }
  return path
}

/** The level below the one in the address: that of the breakdown. */
export function levelBelow(search: BudgetSearch): BudgetLevel {
  return BUDGET_LEVELS[pathOf(search).length] ?? 'item'
}

/** One step down, or up: what stands below the level is left out. */
export function goTo(level: PathLevel | undefined, name?: string): BudgetPatch {
  const at = level === undefined ? -1 : PATH_LEVELS.indexOf(level)
  const below = PATH_LEVELS.slice(at + 1).map((one) => [one, undefined] as const)
  const own = level !== undefined && name !== undefined ? [[level, name] as const] : []
  return Object.fromEntries([...below, ...own, ['item', undefined]])
}

/** Every filter off; year, scope and the way down stay. */
export const NO_FILTERS: BudgetPatch = Object.fromEntries(FILTER_PARAMS.map((name) => [name, undefined]))
