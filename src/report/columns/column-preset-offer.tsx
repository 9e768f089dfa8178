import { Columns3 } from 'lucide-react'
import { getPresetColumnLayout, REPORT_COLUMN_PRESETS } from '#contract/catalogue/column-presets.ts'
import { Button } from '#src/ui/button.tsx'
import { saveReportColumns } from './save-columns.ts'

const TRIAGE_PRESET = REPORT_COLUMN_PRESETS[0]!

export function ReportColumnPresetOffer() {
  return (
    <aside
      aria-label="ชุดคอลัมน์"
      className="mb-2 flex items-center gap-2 rounded-control border border-accent-line bg-accent-soft py-0.5 pr-1 pl-3 text-sm print:hidden"
    >
      <Columns3 aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <p className="min-w-0 flex-1 truncate">
        ชุดคอลัมน์ “{TRIAGE_PRESET.th}” แสดง {TRIAGE_PRESET.fields.length} คอลัมน์ที่ใช้ตัดสินใจ เห็นครบโดยไม่ต้องเลื่อนข้าง
      </p>
      <Button variant="quiet" size="sm" onClick={() => void saveReportColumns(getPresetColumnLayout('all'))}>
        ใช้ครบ 25 คอลัมน์ต่อไป
      </Button>
      <Button size="sm" onClick={() => void saveReportColumns(getPresetColumnLayout(TRIAGE_PRESET.code))}>
        ใช้ชุด{TRIAGE_PRESET.th}
      </Button>
    </aside>
  )
}
