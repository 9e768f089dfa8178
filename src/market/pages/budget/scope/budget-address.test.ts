import { describe, expect, test } from 'vitest'
import { changeBudgetAddress, goTo, levelBelow, NO_FILTERS, pathOf } from './budget-address.ts'

describe('the address of the budget', () => {
  test('a filter leads to page 1, and nothing that could not be read is carried along', () => {
    expect(changeBudgetAddress({ year: '2570', page: '3', utm: 'x', state: 'nonsense' }, { q: 'กล้อง' })).toEqual({
      year: '2570',
      q: 'กล้อง',
    })
  })

  test('an item that is opened changes nothing else, not even what could not be read', () => {
    const flat = { year: '2570', page: '3', utm: 'x' }
    expect(changeBudgetAddress(flat, { item: 7 })).toEqual({ ...flat, item: '7' })
    expect(changeBudgetAddress({ ...flat, item: '7' }, { item: undefined })).toEqual(flat)
  })

  test('a step down names its level and leaves what stood below it', () => {
    const search = { ministry: 'ก', unit: 'ข', plan: 'ค', item: 4 }
    expect({ ...search, ...goTo('unit', 'ง') }).toEqual({
      ministry: 'ก',
      unit: 'ง',
      plan: undefined,
      project: undefined,
      item: undefined,
    })
    expect(goTo(undefined)).toEqual({
      ministry: undefined,
      unit: undefined,
      plan: undefined,
      project: undefined,
      item: undefined,
    })
  })

  test('what stands below a level that is missing is not on the way down', () => {
    expect(pathOf({ unit: 'ข', plan: 'ค' })).toEqual([])
    expect(levelBelow({ unit: 'ข' })).toBe('ministry')
    expect(levelBelow({ ministry: 'ก', unit: 'ข', plan: 'ค', project: 'ง' })).toBe('item')
  })

  test('clearing the filters keeps year, scope and the way down', () => {
    const flat = {
      year: '2570',
      scope: 'all',
      ministry: 'ก',
      q: 'กล้อง',
      category: 'งบลงทุน',
      keyword__in: 'กล้อง',
      state: 'none',
    }
    expect(changeBudgetAddress({ ...flat, amount__range: '1,2' }, NO_FILTERS)).toEqual({
      year: '2570',
      scope: 'all',
      ministry: 'ก',
    })
  })
})
