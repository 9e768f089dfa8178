import { useNavigate } from '@tanstack/react-router'
import {
  BookmarkPlus,
  CalendarDays,
  Columns3,
  Download,
  Ellipsis,
  FileClock,
  Keyboard,
  Link2,
  ListChecks,
  type LucideIcon,
  PanelTopOpen,
  Printer,
  Save,
  SquareKanban,
  Trophy,
} from 'lucide-react'
import { DEFAULT_CONTRACT_END_DAYS } from '#contract/catalogue/contract-ends-list.ts'
import { FIT_ORDER_LABEL, FIT_ORDERING } from '#contract/matching/fit.ts'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import { REPORT_PAGE_SIZES } from '#contract/report/report-param-kinds.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { DISPLAY_DENSITIES, setDisplayDensity, useDisplayDensity } from '#src/lib/density.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'
import { preloadColumnsDialog, useColumnsDialog } from '#src/report/columns/use-columns-dialog.tsx'
import { openReportExportPanel, preloadReportExportDialog } from '#src/report/export/export-panel.tsx'
import { buildFitOrderPatch } from '#src/report/fit/build-fit-order-patch.ts'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { getSaveFilterDisabledReason } from '#src/report/saved-filters/save-filter-button.tsx'
import { updateSavedFilter } from '#src/report/saved-filters/saved-filter-changes.ts'
import type { SavedFilterContext } from '#src/report/saved-filters/saved-filter-context.ts'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#src/ui/overlay/menu.tsx'

type ReportMenuProps = {
  context: SavedFilterContext
  isPersonal: boolean
  isTable: boolean
  selection: ReportSelection
  onHelp: () => void
}

export function ReportMenu({ context, isPersonal, isTable, selection, onHelp }: ReportMenuProps) {
  const { filters, view, search, change, start } = context
  const { filter } = view
  const { is_company_compare: hasCompanies } = useOrganisation()
  const density = useDisplayDensity()
  const columns = useColumnsDialog()
  const navigate = useNavigate()
  const openElsewhere = (to: '/board' | '/calendar') =>
    void navigate({ to, search: { report: getBoardFilters(search) } })
  return (
    <>
      <Menu
        label="ทำกับรายงาน"
        gap={2}
        className="min-w-56"
        trigger={(props) => (
          <IconButton
            {...props}
            icon={Ellipsis}
            label="ทำกับรายงาน"
            onPointerEnter={() => {
              preloadColumnsDialog()
              preloadReportExportDialog()
            }}
            className={isTable ? 'border border-line-strong bg-surface' : '-mr-2.5'}
          />
        )}
      >
        {isTable ? (
          <>
            <MenuItem icon={Columns3} onSelect={columns.open}>
              คอลัมน์ {columns.visible}
            </MenuItem>
            <MenuItem checked={search.ordering === FIT_ORDERING} onSelect={() => change(buildFitOrderPatch(search))}>
              เรียงตาม{FIT_ORDER_LABEL}
            </MenuItem>
            {DISPLAY_DENSITIES.map(({ code, name }) => (
              <MenuItem key={code} checked={code === density} onSelect={() => setDisplayDensity(code)}>
                แถว{name}
              </MenuItem>
            ))}
            {REPORT_PAGE_SIZES.map((size) => (
              <MenuItem
                key={size}
                checked={size === (search.page_size ?? REPORT_DEFAULT_PAGE_SIZE)}
                onSelect={() => change({ page_size: size === REPORT_DEFAULT_PAGE_SIZE ? undefined : size })}
              >
                หน้าละ {size} แถว
              </MenuItem>
            ))}
            <MenuSeparator />
          </>
        ) : (
          <>
            <Items
              items={[
                [Link2, 'แชร์ลิงก์', () => void copyReportLink(search, isPersonal)],
                [ListChecks, selection.isSelecting ? 'เลิกเลือก' : 'เลือกหลายโครงการ', selection.toggleSelecting],
                filter !== undefined &&
                  filter.owner === undefined &&
                  view.isModified &&
                  view.isFiltered && [Save, `บันทึกทับ “${filter.filterName}”`, () => updateSavedFilter(filter, search)],
                !getSaveFilterDisabledReason(context) && [BookmarkPlus, 'บันทึกตัวกรอง', () => start({ kind: 'save' })],
              ]}
            />
            <MenuSeparator />
          </>
        )}
        <Items
          items={[
            [Download, 'ส่งออก', openReportExportPanel],
            [Printer, 'พิมพ์ / PDF', () => window.print()],
            [CalendarDays, 'ปฏิทินของตัวกรองนี้', () => openElsewhere('/calendar')],
            !isDemoSession() && [SquareKanban, 'บอร์ดของตัวกรองนี้', () => openElsewhere('/board')],
          ]}
        />
        <MenuSeparator />
        <Items
          items={[
            hasCompanies && [Trophy, 'ใครชนะงานแบบนี้', () => change({ view: 'who_wins' })],
            [FileClock, 'สัญญาใกล้หมด', () => change(buildContractEndsPatch(search))],
          ]}
        />
        <MenuSeparator />
        <Items
          items={[
            filters.length > 0 && [PanelTopOpen, 'จัดการตัวกรองที่บันทึก', () => start({ kind: 'manage' })],
            isTable && [Keyboard, 'คีย์ลัด', onHelp],
          ]}
        />
      </Menu>
      {columns.dialog}
    </>
  )
}

type ItemsProps = { items: readonly (readonly [icon: LucideIcon, text: string, run: () => void] | false)[] }

function Items({ items }: ItemsProps) {
  return items
    .filter((item) => item !== false)
    .map(([icon, text, run]) => (
      <MenuItem key={text} icon={icon} onSelect={run}>
        {text}
      </MenuItem>
    ))
}

/** Sets the view's filter in the URL, so that counts agree with it. No project of the view is open for bids. */
export const buildContractEndsPatch = ({ ends_within: days }: ReportSearch): ReportSearchPatch => ({
  view: 'contract_ends',
  rows: undefined,
  project_bidding__in: undefined,
  ends_within: days ?? DEFAULT_CONTRACT_END_DAYS,
  page: undefined,
})
