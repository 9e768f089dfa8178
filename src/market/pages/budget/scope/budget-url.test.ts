import { describe, expect, test } from 'vitest'
import { formatBudgetSearch, parseBudgetSearch } from '#contract/market/budget-params.ts'
import { typedSearch } from '#src/lib/typed-search.ts'
import {
  applyBudgetUrlPatch,
  buildBudgetLevelPatch,
  CLEARED_BUDGET_FILTERS_PATCH,
  getBudgetPath,
  getNextBudgetLevel,
} from './budget-url.ts'

describe('budget address', () => {
  test('returns to page 1 and drops unreadable parameters when a filter changes', () => {
    const { validateSearch } = typedSearch(parseBudgetSearch, formatBudgetSearch)
    const search = validateSearch({ year: '2570', page: '3', utm: 'x', state: 'nonsense' } as never)
    expect(applyBudgetUrlPatch(search, { q: 'กล้อง' })).toEqual({ year: 2570, q: 'กล้อง' })
  })

  test('keeps all other parameters, even unreadable ones, when an item opens or closes', () => {
    const search = { year: 2570, page: 3, ignored: [{ name: 'utm', value: 'x', reason: 'unknown' }] } as const
    expect(applyBudgetUrlPatch(search, { item: 7 })).toEqual({ ...search, item: 7 })
    expect(applyBudgetUrlPatch({ ...search, item: 7 }, { item: undefined })).toEqual(search)
  })

  test('sets the level when drilling down and clears the levels below it', () => {
    const search = { ministry: 'ก', unit: 'ข', plan: 'ค', item: 4 }
    expect({ ...search, ...buildBudgetLevelPatch('unit', 'ง') }).toEqual({
      ministry: 'ก',
      unit: 'ง',
      plan: undefined,
      project: undefined,
      item: undefined,
    })
    expect(buildBudgetLevelPatch(undefined)).toEqual({
      ministry: undefined,
      unit: undefined,
      plan: undefined,
      project: undefined,
      item: undefined,
    })
  })

  test('ignores levels below a missing level', () => {
    expect(getBudgetPath({ unit: 'ข', plan: 'ค' })).toEqual([])
    expect(getNextBudgetLevel({ unit: 'ข' })).toBe('ministry')
    expect(getNextBudgetLevel({ ministry: 'ก', unit: 'ข', plan: 'ค', project: 'ง' })).toBe('item')
  })

  test('keeps year, scope and drill-down path when filters are cleared', () => {
    const search = {
      year: 2570,
      scope: 'all',
      ministry: 'ก',
      q: 'กล้อง',
      category: ['งบลงทุน'],
      keyword__in: ['กล้อง'],
      state: ['none'],
      amount__range: { min: 1, max: 2 },
    } as const
    expect(applyBudgetUrlPatch(search, CLEARED_BUDGET_FILTERS_PATCH)).toEqual({
      year: 2570,
      scope: 'all',
      ministry: 'ก',
    })
  })
})
