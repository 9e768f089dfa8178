import { CalendarPlus } from 'lucide-react'
import { buildCalendarFile } from '#contract/report/calendar-file.ts'
import {
  buildDeadlineEvent,
  type DatedDeadline,
  type DeadlineEventFacts,
  getCancelledDeadlines,
  getUpcomingDeadlines,
} from '#contract/report/deadline-event.ts'
import { DEADLINE_KIND_TEXTS, getDeadlineCertaintyLabel } from '#contract/report/deadlines.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { saveBlobAsFile } from '#src/api/http/save-blob-as-file.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'

function downloadDeadline(row: DeadlineEventFacts, deadline: DatedDeadline): void {
  const page = `${window.location.origin}${getProjectHref(row.project_id)}`
  const text = buildCalendarFile(buildDeadlineEvent(row, deadline, page, getServerTime()))
  saveBlobAsFile(new Blob([text], { type: 'text/calendar;charset=utf-8' }), `${row.project_id}-${deadline.kind}.ics`)
}

export function AddToCalendarButton({ row }: { row: DeadlineEventFacts }) {
  const now = useServerTime()
  const cancelled = getCancelledDeadlines(row, now)
  const isCancelled = cancelled.length > 0
  const deadlines = isCancelled ? cancelled : getUpcomingDeadlines(row, now)
  const label = isCancelled ? 'แก้เป็นยกเลิกในปฏิทิน' : 'เพิ่มในปฏิทิน'
  const take = (deadline: DatedDeadline) => {
    downloadDeadline(row, deadline)
    const verb = isCancelled ? 'เปิดไฟล์เพื่อแก้เป็นยกเลิก: ' : 'เปิดไฟล์เพื่อเพิ่มวัน'
    showDoneToast(`บันทึกไฟล์ปฏิทินแล้ว ${verb}${DEADLINE_KIND_TEXTS[deadline.kind].name}`)
  }
  const [first, ...laterDeadlines] = deadlines
  if (!first) return null
  if (laterDeadlines.length === 0) {
    return (
      <Button icon={CalendarPlus} onClick={() => take(first)}>
        {label}
      </Button>
    )
  }
  return (
    <Menu
      label={isCancelled ? 'เลือกวันที่จะแก้เป็นยกเลิกในปฏิทิน' : 'เลือกวันที่จะเพิ่มในปฏิทิน'}
      trigger={(props) => (
        <Button icon={CalendarPlus} {...props}>
          {label}
        </Button>
      )}
    >
      {deadlines.map((deadline) => (
        <MenuItem key={deadline.kind} onSelect={() => take(deadline)}>
          {DEADLINE_KIND_TEXTS[deadline.kind].name} · {formatThaiDateShortOrOriginal(deadline.day)}
          {deadline.isEstimate && ` (${getDeadlineCertaintyLabel(deadline)})`}
        </MenuItem>
      ))}
    </Menu>
  )
}
