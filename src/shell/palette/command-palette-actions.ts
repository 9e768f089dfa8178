import type { AnyRouter } from '@tanstack/react-router'
import { getActiveReportFilters, parseReportSearch, REPORT_PERSONAL_PARAMS } from '#contract/report/report-params.ts'
import { getStartSearchParams } from '#contract/report/start-view.ts'
import { logout } from '#src/account/api/sessions.ts'
import { formatQueryString, toFlatSearchParams } from '#src/lib/flat-search-params.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { openReportExportPanel } from '#src/report/export/export-panel.tsx'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { setTheme, THEMES } from '#src/ui/theme/theme-picker.tsx'
import { type CommandPaletteAccount, type CommandPaletteEntry, hasReportAccess } from './command-palette-entries.ts'

const THEME_WORDS = { system: 'ธีม system auto', light: 'ธีม light', dark: 'ธีม dark' } as const

function copyLink({ pathname, search }: AnyRouter['latestLocation']): Promise<void> {
  if (pathname === '/report') {
    const { search: report } = parseReportSearch(toFlatSearchParams(search))
    return copyReportLink(
      report,
      getActiveReportFilters(report).some((name) => REPORT_PERSONAL_PARAMS.includes(name)),
    )
  }
  return copyWithToast(
    protectTrailingPunctuation(window.location.href),
    'คัดลอกลิงก์ของหน้านี้แล้ว',
    'คัดลอกไม่ได้ เบราว์เซอร์ไม่อนุญาต คัดลอกจากแถบที่อยู่แทน',
  )
}

export function buildCommandPaletteActions(account: CommandPaletteAccount, router: AnyRouter): CommandPaletteEntry[] {
  const { user, isDemo } = account
  const action = (id: string, title: string, words: string, run: () => void): CommandPaletteEntry => ({
    id: `action:${id}`,
    group: 'action',
    title,
    words,
    run,
  })
  const exportReport = () => {
    if (router.latestLocation.pathname !== '/report')
      router.history.push(`/report${formatQueryString(getStartSearchParams(user))}`)
    openReportExportPanel()
  }
  return [
    action('copy-link', 'คัดลอกลิงก์ของหน้านี้', 'copy link แชร์', () => void copyLink(router.latestLocation)),
    ...(hasReportAccess(account)
      ? [
          action('new-filter', 'เริ่มตัวกรองใหม่', 'new filter ล้างตัวกรอง รายงาน', () => router.history.push('/report')),
          action('export', 'ส่งออกรายงานเป็นไฟล์', 'export excel csv ดาวน์โหลด', exportReport),
        ]
      : []),
    ...THEMES.map(({ code, name }) => action(`theme-${code}`, `ใช้ธีม${name}`, THEME_WORDS[code], () => setTheme(code))),
    ...(isDemo ? [] : [action('logout', 'ออกจากระบบ', 'logout', () => void logout())]),
  ]
}
