import { describe, expect, test } from 'vitest'
import { APP_SCREENS, findScreenByPath, findScreenTitleByPath } from '#contract/screen.ts'
import {
  findOurWorkTab,
  getNavEntries,
  getNavScreens,
  isActiveNavEntry,
  isOurWorkEntry,
  type NavAccount,
  toNavLocation,
} from './nav-entries.ts'

const T = true
const F = false

type Flags = { only?: boolean; budget?: boolean; companies?: boolean; comparison?: boolean; isDemo?: boolean }

function anAccount({ only = F, budget = F, companies = F, comparison = F, isDemo = F }: Flags = {}): NavAccount {
  const organisation = {
    is_access_budget_year_only: only,
    is_access_budget_year: budget,
    is_company_compare: companies,
    is_access_company_comparison: comparison,
    register_status: { is_register_completed: true, is_watchlist_completed: true },
  }
  return {
    user: { role: 'member_user', is_access_budget_year: null, project_save_filter_profile: [] },
    organisation,
    isDemo,
  }
}
const ALL = { budget: T, companies: T, comparison: T }
const pathsFor = (flags: Flags) => getNavEntries(anAccount(flags)).map(({ path }) => path)

describe('the tabs', () => {
  test.each<[Flags, string[]]>([
    [{}, ['/report', '/board', '/watch']],
    [{ budget: T }, ['/report', '/board', '/watch', '/budget']],
    [{ companies: T }, ['/report', '/board', '/watch', '/companies']],
    [{ comparison: T }, ['/report', '/board', '/watch', '/company-comparison']],
    [{ budget: T, companies: T }, ['/report', '/board', '/watch', '/companies', '/budget']],
    [{ budget: T, comparison: T }, ['/report', '/board', '/watch', '/company-comparison', '/budget']],
    [{ companies: T, comparison: T }, ['/report', '/board', '/watch', '/companies', '/company-comparison']],
    [ALL, ['/report', '/board', '/watch', '/companies', '/company-comparison', '/budget']],
    [{ isDemo: T }, ['/report', '/calendar', '/watch']],
    [{ only: T }, ['/budget']],
    [{ only: T, ...ALL }, ['/budget']],
  ])('%o: %o', (flags, paths) => {
    expect(pathsFor(flags)).toEqual(paths)
  })

  test('have these names, in this order', () => {
    expect(getNavEntries(anAccount(ALL)).map(({ name }) => name)).toEqual([
      'รายงานโครงการ',
      'งานของเรา',
      'คำติดตาม',
      'ข้อมูลบริษัท',
      'เปรียบเทียบบริษัท',
      'งบประมาณประจำปี',
    ])
  })

  test('งานของเรา stands for its four tabs where every screen is listed', () => {
    expect(getNavScreens(anAccount()).map(({ name }) => name)).toEqual([
      'รายงานโครงการ',
      'บอร์ด',
      'ปฏิทิน',
      'ติดดาว',
      'ผลงาน',
      'คำติดตาม',
    ])
    expect(getNavScreens(anAccount({ only: T })).map(({ path }) => path)).toEqual(['/budget'])
  })

  test.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['/report', {}, 'รายงานโครงการ', undefined],
    ['/report', { project_bidding__in: 'open' }, 'รายงานโครงการ', undefined],
    ['/report/69119284417', { project_bookmark: 'true' }, 'รายงานโครงการ', undefined],
    ['/reports', {}, undefined, undefined],
    ['/report', { project_bookmark: 'true' }, 'งานของเรา', 'ติดดาว'],
    ['/report', { project_bookmark: 'true', check_sme: 'true' }, 'งานของเรา', 'ติดดาว'],
    ['/report', { project_bookmark: 'true', saved: 'mine' }, 'รายงานโครงการ', undefined],
    ['/report', { project_bookmark: 'false' }, 'รายงานโครงการ', undefined],
    ['/board', {}, 'งานของเรา', 'บอร์ด'],
    ['/board', { project_bookmark: 'true' }, 'งานของเรา', 'บอร์ด'],
    ['/calendar', {}, 'งานของเรา', 'ปฏิทิน'],
    ['/results', {}, 'งานของเรา', 'ผลงาน'],
    ['/companies/ก', {}, 'ข้อมูลบริษัท', undefined],
    ['/company-comparison', {}, 'เปรียบเทียบบริษัท', undefined],
    ['/settings', {}, undefined, undefined],
  ])('at %s %o, %s and its tab %s are active', (pathname, search, entry, tab) => {
    const location = toNavLocation(pathname, search)
    const active = getNavEntries(anAccount(ALL)).filter((candidate) => isActiveNavEntry(candidate, location))
    expect(active.map(({ name }) => name)).toEqual(entry === undefined ? [] : [entry])
    expect(findOurWorkTab(location)?.name).toBe(tab)
  })

  test('งานของเรา of the demo is active on its screens too', () => {
    const entry = getNavEntries(anAccount({ isDemo: T })).find(isOurWorkEntry)!
    expect(isActiveNavEntry(entry, toNavLocation('/results', {}))).toBe(true)
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
