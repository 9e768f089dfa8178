import { Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportPage } from '#contract/report/report.ts'
import { ColumnsButton } from '#src/features/columns/columns-button.tsx'
import { ExportButton } from '#src/features/report-export/export-button.tsx'
import { countText, millionText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { windowText } from './table/window-text.ts'

type ReportHeadingProps = {
  /** Undefined until the first answer. */
  page: ReportPage | undefined
  /** The link holds the user's own stars or labels, which mean something else to others. */
  isPersonal: boolean
  /** The primary button. */
  action: ReactNode
}

async function copyLink(isPersonal: boolean) {
  try {
    await navigator.clipboard.writeText(window.location.href)
    showToast({
      tone: 'done',
      text: isPersonal ? 'คัดลอกลิงก์แล้ว ดาวและป้ายกำกับในลิงก์จะเป็นของคนที่เปิด' : 'คัดลอกลิงก์แล้ว',
    })
  } catch {
    showToast({ tone: 'error', text: 'คัดลอกไม่ได้ คัดลอกจากแถบที่อยู่ของเบราว์เซอร์แทน' })
  }
}

/** What is shown, how much it is worth and how fresh it is. */
export function ReportHeading({ page, isPersonal, action }: ReportHeadingProps) {
  return (
    <div className="items-center gap-x-3 max-md:flex max-md:flex-wrap md:grid md:grid-cols-[minmax(0,1fr)_auto]">
      <h1 className="text-xl font-semibold max-md:flex-1">รายงานโครงการ</h1>
      <div className="flex gap-3 max-md:flex-wrap max-md:gap-1 xl:row-span-2">
        <Button icon={Link2} onClick={() => void copyLink(isPersonal)} className="max-md:hidden">
          คัดลอกลิงก์
        </Button>
        <ColumnsButton className="max-md:hidden" />
        <IconButton icon={Link2} label="คัดลอกลิงก์" onClick={() => void copyLink(isPersonal)} className="md:hidden" />
        <ExportButton />
        {action}
      </div>
      <p className="min-h-6 text-ink-muted max-xl:col-span-2 max-md:min-h-[2.6rem] max-md:w-full">
        {page && (
          <>
            <b className="font-semibold text-ink tabular-nums">{countText(page.total_project)}</b> โครงการ ·{' '}
            <span className="max-md:hidden">มูลค่ารวม </span>
            <b className="font-semibold text-ink tabular-nums">{millionText(page.total_budget)}</b> ล้านบาท
            <span className="max-md:block max-md:text-xs">
              <span className="max-md:hidden"> · </span>
              {page.data_time === null ? 'ยังไม่มีข้อมูล' : `ข้อมูล ณ ${thaiInstant(page.data_time)}`}
              <span className="max-xl:hidden group-data-peeking/report:hidden">
                {' '}
                · ช่วงรายงาน {windowText(page.report_window)}
              </span>
            </span>
          </>
        )}
      </p>
    </div>
  )
}
