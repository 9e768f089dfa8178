import { CalendarDays, type LucideIcon, Table2, Trophy } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportView } from '#contract/report/report-view.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import type { ChangeReportSearchFn, ReportSearchPatch } from '#src/lib/report-change.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { REPORT_RESULTS_ELEMENT_ID } from './report-scope-tabs.tsx'

type View = {
  readonly value: ReportView | 'table'
  readonly label: string
  readonly icon: LucideIcon
  readonly isShown: (organisation: ReturnType<typeof useOrganisation>) => boolean
}

const VIEWS: readonly View[] = [
  { value: 'table', label: 'ตาราง', icon: Table2, isShown: () => true },
  { value: 'who_wins', label: 'ใครชนะ', icon: Trophy, isShown: ({ is_company_compare }) => is_company_compare },
  { value: 'contract_ends', label: 'สัญญาใกล้หมด', icon: CalendarDays, isShown: () => true },
]

/**
 * Returns the filters that the contract-ends view adds, so that counts elsewhere agree with it. The view drops the
 * segment, because none of its projects is open for bids.
 */
export const buildContractEndsPatch = (view: string, { ends_within: days }: ReportSearch): ReportSearchPatch =>
  view === 'contract_ends' ? { project_bidding__in: undefined, ends_within: days ?? 180, page: undefined } : {}

type ViewSwitchProps = {
  context: { readonly search: ReportSearch; readonly change: ChangeReportSearchFn }
  className?: string
}

export function ReportViewSwitch({ context: { search, change }, className }: ViewSwitchProps) {
  const organisation = useOrganisation()
  const views = VIEWS.filter(({ isShown }) => isShown(organisation))
  return (
    <Tabs
      label="มุมมอง"
      variant="segment"
      items={views}
      value={search.view ?? 'table'}
      onChange={(view) =>
        change({ view: view === 'table' ? undefined : view, rows: undefined, ...buildContractEndsPatch(view, search) })
      }
      panelId={REPORT_RESULTS_ELEMENT_ID}
      className={className ?? ''}
    />
  )
}
