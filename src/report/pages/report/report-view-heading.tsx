import { ArrowLeft, Share2 } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportView } from '#contract/report/report-view.ts'
import type { ChangeReportSearchFn, ReportSearchPatch } from '#src/lib/report-change.ts'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { Button } from '#src/ui/button.tsx'

const TITLES: Readonly<Record<ReportView, string>> = {
  who_wins: 'ใครชนะงานแบบนี้',
  contract_ends: 'สัญญาใกล้หมด',
}

/** Drops the parameters of the view, so that the list has the filters with which the view was opened. */
const BACK_TO_LIST: Readonly<Record<ReportView, ReportSearchPatch>> = {
  who_wins: { view: undefined, rows: undefined, market: undefined, rank: undefined, page: undefined },
  contract_ends: { view: undefined, ends_within: undefined, page: undefined },
}

type ReportViewHeadingProps = {
  view: ReportView
  search: ReportSearch
  isPersonal: boolean
  change: ChangeReportSearchFn
}

/** Heading of a view that is opened from the list. It has no segments, queue or saved filters, because they do not apply. */
export function ReportViewHeading({ view, search, isPersonal, change }: ReportViewHeadingProps) {
  return (
    <div className="flex min-h-12 items-center gap-x-3 max-md:min-h-14 max-md:gap-x-1 print:hidden">
      <Button variant="quiet" icon={ArrowLeft} onClick={() => change(BACK_TO_LIST[view])} className="-ml-2.5">
        <span>
          <span className="max-sm:sr-only">กลับไป</span>รายงาน
        </span>
      </Button>
      <h1 className="min-w-0 flex-1 truncate text-xl font-semibold">{TITLES[view]}</h1>
      <Button icon={Share2} title="คัดลอกลิงก์ของหน้านี้" onClick={() => void copyReportLink(search, isPersonal)}>
        แชร์
      </Button>
    </div>
  )
}
