import { describe, expect, test } from 'vitest'
import {
  applyBudgetUrlPatch,
  buildBudgetLevelPatch,
  CLEARED_BUDGET_FILTERS_PATCH,
  getBudgetPath,
  getNextBudgetLevel,
} from './budget-url.ts'

describe('budget address', () => {
  test('returns to page 1 and drops unreadable parameters when a filter changes', () => {
    expect(applyBudgetUrlPatch({ year: '2570', page: '3', utm: 'x', state: 'nonsense' }, { q: 'กล้อง' })).toEqual({
      year: '2570',
      q: 'กล้อง',
    })
  })

  test('keeps all other parameters, even unreadable ones, when an item opens or closes', () => {
    const flat = { year: '2570', page: '3', utm: 'x' }
    expect(applyBudgetUrlPatch(flat, { item: 7 })).toEqual({ ...flat, item: '7' })
    expect(applyBudgetUrlPatch({ ...flat, item: '7' }, { item: undefined })).toEqual(flat)
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
    const flat = {
      year: '2570',
      scope: 'all',
      ministry: 'ก',
      q: 'กล้อง',
      category: 'งบลงทุน',
      keyword__in: 'กล้อง',
      state: 'none',
    }
    expect(applyBudgetUrlPatch({ ...flat, amount__range: '1,2' }, CLEARED_BUDGET_FILTERS_PATCH)).toEqual({
      year: '2570',
      scope: 'all',
      ministry: 'ก',
    })
  })
})
