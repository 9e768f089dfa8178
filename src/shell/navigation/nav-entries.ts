import { Binoculars, Building, ChartColumn, type LucideIcon, Scale, SquareKanban, Table2 } from 'lucide-react'
import type { User } from '#contract/account/user.ts'
import { getStartSearchParams } from '#contract/report/start-view.ts'
import type { AppScreenPath } from '#contract/screen.ts'
import { parseReportUrlSearch, type ReportUrlSearch } from '#src/lib/report-url.ts'
import type { LoadedAccount } from './route-guard.ts'
import { hasBudgetAccess } from './route-guard.ts'

export type NavScreen = {
  readonly path: AppScreenPath
  readonly name: string
  readonly search?: ReportUrlSearch
}
export type NavEntry = NavScreen & { readonly icon: LucideIcon }
type NavRule = NavEntry & { readonly shownTo: (account: LoadedAccount) => boolean }

export type NavAccount = LoadedAccount & {
  readonly user: Pick<User, 'project_save_filter_profile' | 'start_team_view'>
  readonly isDemo: boolean
}

export const STARRED_REPORT: NavScreen = { path: '/report', name: 'ติดดาว', search: { project_bookmark: true } }

/** The tabs of งานของเรา. The starred report is one of them although it is a view of /report. */
export const OUR_WORK_TABS: readonly NavScreen[] = [
  { path: '/board', name: 'บอร์ด' },
  { path: '/calendar', name: 'ปฏิทิน' },
  STARRED_REPORT,
  { path: '/results', name: 'ผลงาน' },
]

const OUR_WORK: NavRule = { path: '/board', name: 'งานของเรา', icon: SquareKanban, shownTo: () => true }

const ENTRIES: readonly NavRule[] = [
  { path: '/report', name: 'รายงานโครงการ', icon: Table2, shownTo: () => true },
  OUR_WORK,
  { path: '/watch', name: 'คำติดตาม', icon: Binoculars, shownTo: () => true },
  {
    path: '/companies',
    name: 'ข้อมูลบริษัท',
    icon: Building,
    shownTo: ({ organisation }) => organisation.is_company_compare,
  },
  {
    path: '/company-comparison',
    name: 'เปรียบเทียบบริษัท',
    icon: Scale,
    shownTo: ({ organisation }) => organisation.is_access_company_comparison,
  },
  { path: '/budget', name: 'งบประมาณประจำปี', icon: ChartColumn, shownTo: hasBudgetAccess },
]

export const isOurWorkEntry = ({ name }: Pick<NavEntry, 'name'>): boolean => name === OUR_WORK.name

/** งานของเรา opens the calendar in the demo, which has no board (specification section 2, Navigation). */
export function getNavEntries(account: NavAccount): readonly NavEntry[] {
  if (account.organisation.is_access_budget_year_only) return ENTRIES.filter(({ path }) => path === '/budget')
  return ENTRIES.filter(({ shownTo }) => shownTo(account)).map((entry) => {
    if (entry.path === '/report') return { ...entry, search: parseReportUrlSearch(getStartSearchParams(account.user)) }
    return entry === OUR_WORK && account.isDemo ? { ...entry, path: '/calendar' } : entry
  })
}

export function getNavScreens(account: NavAccount): readonly NavScreen[] {
  return getNavEntries(account).flatMap((entry) => (isOurWorkEntry(entry) ? OUR_WORK_TABS : [entry]))
}

export type NavLocation = { readonly pathname: string; readonly isStarredReport: boolean }

const isAtPath = (path: string, pathname: string) => pathname === path || pathname.startsWith(`${path}/`)

/** Reads the starred report from the search, whatever else filters it; a saved filter is a view of its own. */
export function toNavLocation(pathname: string, search: Readonly<Record<string, unknown>>): NavLocation {
  const isStarred = String(search.project_bookmark) === 'true' && search.saved === undefined
  return { pathname, isStarredReport: pathname === STARRED_REPORT.path && isStarred }
}

export function findOurWorkTab(location: NavLocation): NavScreen | undefined {
  if (location.isStarredReport) return STARRED_REPORT
  return OUR_WORK_TABS.find((tab) => tab !== STARRED_REPORT && isAtPath(tab.path, location.pathname))
}

export function isActiveNavEntry(entry: Pick<NavEntry, 'path' | 'name'>, location: NavLocation): boolean {
  const tab = findOurWorkTab(location)
  return tab ? entry === tab || isOurWorkEntry(entry) : isAtPath(entry.path, location.pathname)
}
