import { CalendarPlus } from 'lucide-react'
import { thaiDay } from '#contract/thai/thai-date.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { DEADLINE_KIND_TEXTS } from './clock-text.ts'
import { type DatedDeadline, downloadDeadline, type EventFacts, upcomingDeadlines } from './deadline-event.ts'

/** Puts a date of the project into the user's calendar: at once when one is left, from a menu when there are several. Nothing when none is. */
export function CalendarButton({ row, className }: { row: EventFacts; className?: string }) {
  const deadlines = upcomingDeadlines(row, serverNow())
  const take = (deadline: DatedDeadline) => {
    downloadDeadline(row, deadline)
    showToast({ tone: 'done', text: `บันทึกไฟล์ปฏิทินแล้ว เปิดไฟล์เพื่อเพิ่มวัน${DEADLINE_KIND_TEXTS[deadline.kind].name}` })
  }
  const [first, ...others] = deadlines
  if (!first) return null
  if (others.length === 0) {
    return (
      <Button icon={CalendarPlus} onClick={() => take(first)} className={className}>
        เพิ่มในปฏิทิน
      </Button>
    )
  }
  return (
    <Menu
      label="เลือกวันที่จะเพิ่มในปฏิทิน"
      trigger={(props) => (
        <Button icon={CalendarPlus} {...props} className={className}>
          เพิ่มในปฏิทิน
        </Button>
      )}
    >
      {(close) =>
        deadlines.map((deadline) => (
          <MenuItem
            key={deadline.kind}
            onSelect={() => {
              close()
              take(deadline)
            }}
          >
            {DEADLINE_KIND_TEXTS[deadline.kind].name} · {thaiDay(deadline.day)}
            {deadline.isEstimate && ' (ประมาณการ)'}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
