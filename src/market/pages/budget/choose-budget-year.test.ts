import { describe, expect, test } from 'vitest'
import { chooseBudgetYear } from './budget-page.tsx'

const years = (...allowed: number[]) => ({
  years: [2570, 2569, 2568, 2567].map((fiscal_year) => ({
    fiscal_year,
    is_allowed: allowed.includes(fiscal_year),
    items: allowed.includes(fiscal_year) ? 10 : null,
  })),
})

describe('chooseBudgetYear', () => {
  test.each([
    ['none', [], undefined, undefined, undefined],
    ['none', [], 2569, undefined, 2569],
    ['one', [2569], undefined, 2569, undefined],
    ['one', [2569], 2569, 2569, undefined],
    ['one', [2569], 2570, 2569, 2570],
    ['one', [2569], 2501, 2569, 2501],
    ['many', [2568, 2570], undefined, 2570, undefined],
    ['many', [2568, 2570], 2568, 2568, undefined],
    ['many', [2568, 2570], 2569, 2570, 2569],
  ] as const)('%s allowed (%j), address year %s: shows %s', (_name, allowed, requested, year, replaced) => {
    expect(chooseBudgetYear(years(...allowed), requested)).toEqual({ year, replaced })
  })
})
