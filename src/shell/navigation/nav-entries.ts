import {
  Binoculars,
  Building,
  CalendarDays,
  ChartColumn,
  Columns3,
  type LucideIcon,
  Scale,
  Table2,
  Trophy,
} from 'lucide-react'
import type { User } from '#contract/account/user.ts'
import { getStartSearchParams } from '#contract/report/start-view.ts'
import type { AppScreenPath } from '#contract/screen.ts'
import { parseReportUrlSearch, type ReportUrlSearch } from '#src/lib/report-url.ts'
import type { LoadedAccount } from './route-guard.ts'
import { hasBudgetAccess } from './route-guard.ts'

export type NavEntry = {
  readonly path: AppScreenPath
  readonly name: string
  readonly icon: LucideIcon
  readonly search?: ReportUrlSearch
}
type NavRule = NavEntry & { readonly shownTo: (account: LoadedAccount) => boolean }

const ENTRIES: readonly NavRule[] = [
  { path: '/report', name: 'รายงานโครงการ', icon: Table2, shownTo: () => true },
  { path: '/board', name: 'บอร์ด', icon: Columns3, shownTo: () => true },
  { path: '/calendar', name: 'ปฏิทิน', icon: CalendarDays, shownTo: () => true },
  { path: '/results', name: 'สรุปผล', icon: Trophy, shownTo: () => true },
  { path: '/watch', name: 'เฝ้าติดตาม', icon: Binoculars, shownTo: () => true },
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

/**
 * Returns the tabs of header and mobile menu (specification section 2, Navigation). Accounts with budget-only access
 * see only the budget; for others the feature flags decide.
 */
export function getNavEntries(
  account: LoadedAccount & { readonly user: Pick<User, 'project_save_filter_profile' | 'start_team_view'> },
): readonly NavEntry[] {
  if (account.organisation.is_access_budget_year_only) return ENTRIES.filter(({ path }) => path === '/budget')
  return ENTRIES.filter(({ shownTo }) => shownTo(account)).map((entry) =>
    entry.path === '/report' ? { ...entry, search: parseReportUrlSearch(getStartSearchParams(account.user)) } : entry,
  )
}

export function isActiveNavEntry(entry: Pick<NavEntry, 'path'>, pathname: string): boolean {
  return pathname === entry.path || pathname.startsWith(`${entry.path}/`)
}
