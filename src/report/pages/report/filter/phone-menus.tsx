import { useNavigate } from '@tanstack/react-router'
import {
  BookmarkPlus,
  CalendarDays,
  ChevronDown,
  Download,
  Ellipsis,
  FileClock,
  Link2,
  ListChecks,
  PanelTopOpen,
  Printer,
  Save,
  SquareKanban,
  Trophy,
} from 'lucide-react'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import { buildSavedFilterUrlParams } from '#contract/report/saved-filter-search.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { clearReportFilters } from '#src/lib/bid-segment.ts'
import { parseReportUrlSearch } from '#src/lib/report-url.ts'
import { openReportExportPanel } from '#src/report/export/export-panel.ts'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { getSaveFilterDisabledReason } from '#src/report/saved-filters/save-filter-button.tsx'
import type { SavedFilterContext } from '#src/report/saved-filters/saved-filter-context.ts'
import { toAllStarredSearch } from '#src/report/saved-filters/saved-filter-tabs.tsx'
import { updateSavedFilter } from '#src/report/saved-filters/update-saved-filter.ts'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#src/ui/overlay/menu.tsx'
import { buildContractEndsPatch } from './report-view-switch.tsx'

export function SavedViewsMenu({ context }: { context: SavedFilterContext }) {
  const { filters, allFilters, search, view, open, start } = context
  const views: { key: string; name: string; isOn: boolean; show: () => void }[] = [
    { key: 'all', name: 'ทั้งหมด', isOn: view.tab === 'all', show: () => open(clearReportFilters(search)) },
    ...allFilters.map((filter) => ({
      key: `${filter.owner} ${filter.id}`,
      name: filter.owner_name ? `${filter.filterName} (ทีม: ${filter.owner_name})` : filter.filterName,
      isOn: view.filter?.id === filter.id,
      show: () => open(parseReportUrlSearch(buildSavedFilterUrlParams(filter, search))),
    })),
    {
      key: 'starred',
      name: 'โครงการติดดาว',
      isOn: view.tab === 'starred',
      show: () => open(toAllStarredSearch(search)),
    },
  ]
  return (
    <Menu
      label="ตัวกรองที่บันทึก"
      gap={2}
      className="max-h-[60dvh] max-w-[calc(100vw-32px)] min-w-56 overflow-y-auto"
      trigger={(props) => (
        <IconButton {...props} icon={ChevronDown} label="เปิดตัวกรองที่บันทึก" className="-ml-2" iconClassName="size-5" />
      )}
    >
      {(close) => (
        <>
          {views.map(({ key, name, isOn, show }) => (
            <MenuItem
              key={key}
              checked={isOn}
              onSelect={() => {
                close()
                show()
              }}
            >
              {name}
            </MenuItem>
          ))}
          {filters.length > 0 && (
            <>
              <MenuSeparator />
              <MenuItem
                icon={PanelTopOpen}
                onSelect={() => {
                  close()
                  start({ kind: 'manage' })
                }}
              >
                จัดการตัวกรองที่บันทึก
              </MenuItem>
            </>
          )}
        </>
      )}
    </Menu>
  )
}

type ReportMenuProps = { context: SavedFilterContext; isPersonal: boolean; selection: ReportSelection }

export function ReportMenu({ context, isPersonal, selection }: ReportMenuProps) {
  const { view, search, change, start } = context
  const { is_company_compare: hasCompanies } = useOrganisation()
  const { filter, isModified, isFiltered } = view
  const reason = getSaveFilterDisabledReason(context)
  const { isSelecting, setSelecting, clear } = selection
  const navigate = useNavigate()
  return (
    <Menu
      label="ทำกับรายงาน"
      gap={2}
      className="min-w-56"
      trigger={(props) => <IconButton {...props} icon={Ellipsis} label="ทำกับรายงาน" className="-mr-2.5" />}
    >
      {(close) => {
        const closeThen = (act: () => void) => () => {
          close()
          act()
        }
        return (
          <>
            {filter && filter.owner === undefined && isModified && isFiltered && (
              <MenuItem icon={Save} onSelect={closeThen(() => updateSavedFilter(filter, search))}>
                บันทึกทับ “{filter.filterName}”
              </MenuItem>
            )}
            {!reason && (
              <MenuItem icon={BookmarkPlus} onSelect={closeThen(() => start({ kind: 'save' }))}>
                บันทึกตัวกรอง
              </MenuItem>
            )}
            <MenuItem icon={Link2} onSelect={closeThen(() => void copyReportLink(search, isPersonal))}>
              คัดลอกลิงก์
            </MenuItem>
            {hasCompanies && search.view === undefined && (
              <MenuItem icon={Trophy} onSelect={closeThen(() => change({ view: 'who_wins' }))}>
                ใครชนะ
              </MenuItem>
            )}
            {search.view === undefined && (
              <MenuItem
                icon={FileClock}
                onSelect={closeThen(() =>
                  change({ view: 'contract_ends', ...buildContractEndsPatch('contract_ends', search) }),
                )}
              >
                สัญญาใกล้หมด
              </MenuItem>
            )}
            {!isDemoSession() && (
              <MenuItem
                icon={SquareKanban}
                onSelect={closeThen(() => void navigate({ to: '/board', search: { report: getBoardFilters(search) } }))}
              >
                ดูบนบอร์ด
              </MenuItem>
            )}
            <MenuItem
              icon={CalendarDays}
              onSelect={closeThen(
                () => void navigate({ to: '/calendar', search: { report: getBoardFilters(search) } }),
              )}
            >
              ดูในปฏิทิน
            </MenuItem>
            <MenuItem icon={Download} onSelect={closeThen(() => openReportExportPanel())}>
              ส่งออก
            </MenuItem>
            <MenuItem icon={Printer} onSelect={closeThen(() => window.print())}>
              พิมพ์ / PDF
            </MenuItem>
            <MenuItem icon={ListChecks} onSelect={closeThen(() => (isSelecting ? clear() : setSelecting(true)))}>
              {isSelecting ? 'เลิกเลือก' : 'เลือกหลายโครงการ'}
            </MenuItem>
          </>
        )
      }}
    </Menu>
  )
}
