import { TextButton } from '#src/ui/text-button.tsx'
import { EyeOff } from 'lucide-react'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'

type HiddenNoticeProps = {
  count: number
  showsHidden: boolean
  change: ChangeReportSearchFn
}

export function HiddenProjectsNotice({ count, showsHidden, change }: HiddenNoticeProps) {
  if (count === 0 && !showsHidden) return null
  return (
    <p className="flex items-center gap-1.5 text-ink-muted">
      <EyeOff aria-hidden className="size-4 shrink-0 text-ink-faint" />
      {showsHidden ? 'กำลังดูโครงการที่ซ่อนไว้' : `คุณซ่อนไว้ ${formatCount(count)}`}
      <span aria-hidden>·</span>
      <TextButton
        aria-label={showsHidden ? undefined : 'ดู โครงการที่ซ่อนไว้'}
        onClick={() => change({ project_hidden: showsHidden ? undefined : true, page: undefined })}
        className="touch:min-w-11 font-medium touch:px-2"
      >
        {showsHidden ? 'กลับไปรายงาน' : 'ดู'}
      </TextButton>
    </p>
  )
}
