import { describe, expect, test } from 'vitest'
import { APP_SCREENS, findScreenByPath, findScreenTitleByPath } from '#contract/screen.ts'
import { getNavEntries, isActiveNavEntry } from './nav-entries.ts'

const T = true
const F = false

function pathsFor(only: boolean, budget: boolean, companies: boolean, comparison: boolean) {
  const organisation = {
    is_access_budget_year_only: only,
    is_access_budget_year: budget,
    is_company_compare: companies,
    is_access_company_comparison: comparison,
    register_status: { is_register_completed: true, is_watchlist_completed: true },
  }
  return getNavEntries({
    user: { role: 'member_user', is_access_budget_year: null, project_save_filter_profile: [] },
    organisation,
  }).map(({ path }) => path)
}

describe('the tabs', () => {
  test.each([
    [F, F, F, F, ['/report', '/board', '/calendar', '/results', '/watch']],
    [F, T, F, F, ['/report', '/board', '/calendar', '/results', '/watch', '/budget']],
    [F, F, T, F, ['/report', '/board', '/calendar', '/results', '/watch', '/companies']],
    [F, F, F, T, ['/report', '/board', '/calendar', '/results', '/watch', '/company-comparison']],
    [F, T, T, F, ['/report', '/board', '/calendar', '/results', '/watch', '/companies', '/budget']],
    [F, T, F, T, ['/report', '/board', '/calendar', '/results', '/watch', '/company-comparison', '/budget']],
    [F, F, T, T, ['/report', '/board', '/calendar', '/results', '/watch', '/companies', '/company-comparison']],
    [
      F,
      T,
      T,
      T,
      ['/report', '/board', '/calendar', '/results', '/watch', '/companies', '/company-comparison', '/budget'],
    ],
    [T, F, F, F, ['/budget']],
    [T, T, T, T, ['/budget']],
  ])('budget only %s, budget %s, companies %s, comparison %s', (only, budget, companies, comparison, paths) => {
    expect(pathsFor(only, budget, companies, comparison)).toEqual(paths)
  })

  test.each([
    ['/report', '/report', true],
    ['/report', '/report/69119284417', true],
    ['/report', '/reports', false],
    ['/companies', '/company-comparison', false],
  ] as const)('%s at %s is active: %s', (path, pathname, active) => {
    expect(isActiveNavEntry({ path }, pathname)).toBe(active)
  })
})

describe('the screens', () => {
  test.each([
    ['/report', '/report'],
    ['/report/', '/report'],
    ['/report/6911', '/report/{id}'],
    ['/report/6911/x', undefined],
    ['/companies/a/b', '/companies/{name}'],
    ['/companies/', '/companies'],
    ['/', '/'],
    ['/Report', undefined],
    ['//', '/'],
  ])('%s is %s', (pathname, path) => {
    expect(findScreenByPath(pathname)?.path).toBe(path)
  })

  test('have unique titles with the product name', () => {
    expect(findScreenTitleByPath('/report')).toBe('รายงานโครงการ · ตามงาน')
    expect(findScreenTitleByPath('/')).toBe('ตามงาน')
    expect(findScreenTitleByPath('/nowhere')).toBe('ไม่พบหน้านี้ · ตามงาน')
    const titles = APP_SCREENS.map(({ path }) => findScreenTitleByPath(path.replace(/\{\w+\}/, 'x')))
    expect(new Set(titles).size).toBe(APP_SCREENS.length)
  })
})
