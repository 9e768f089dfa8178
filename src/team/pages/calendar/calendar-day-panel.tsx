import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import type { Ref } from 'react'
import { getDeadlineCertaintyLabel } from '#contract/report/deadlines.ts'
import { getHolidayCertainty } from '#contract/thai/public-holiday.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { Card } from '#src/ui/card.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { CalendarEventCards } from './calendar-agenda.tsx'
import {
  countDeadlines,
  formatCalendarDay,
  formatCalendarTimeLeft,
  getHolidayName,
  isOverloadedDay,
} from './calendar-days.ts'
import type { CalendarGridContent } from './calendar-grid.tsx'

type DayPanelProps = CalendarGridContent & {
  onDay: (day: string) => void
  headingRef: Ref<HTMLHeadingElement>
}

export function CalendarDayPanel({ day, today, byDay, projects, onDay, headingRef }: DayPanelProps) {
  const events = byDay.get(day) ?? []
  const submissions = events.filter(({ kind, is_cancelled }) => kind === 'submission' && !is_cancelled).length
  const holiday = getHolidayName(day)
  return (
    <Card as="section" aria-label={`กำหนดของ${formatCalendarDay(day, true)}`} className="flex min-h-0 flex-col">
      <div className="border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 ref={headingRef} tabIndex={-1} className="min-w-0 flex-1 text-md font-semibold outline-none">
            {formatCalendarDay(day, true)}
          </h2>
          <IconButton icon={ChevronLeft} label="วันก่อนหน้า" size="sm" onClick={() => onDay(addDays(day, -1))} />
          <IconButton icon={ChevronRight} label="วันถัดไป" size="sm" onClick={() => onDay(addDays(day, 1))} />
        </div>
        <p className="text-sm text-ink-muted">
          {formatCalendarTimeLeft(day, today)}
          {holiday && ` · ${holiday}`}
        </p>
        {isOverloadedDay(events) && (
          <p className="mt-2 flex items-center gap-1.5 rounded-control border border-updated-line bg-updated-soft px-2.5 py-1 text-sm text-updated">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            งานแน่น {countDeadlines(events)} กำหนด{submissions > 1 && ` ยื่นพร้อมกัน ${submissions} งาน`}
          </p>
        )}
      </div>
      {events.length === 0 ? (
        <p className="px-4 py-6 text-center text-sm text-ink-muted">ไม่มีกำหนดในวันนี้</p>
      ) : (
        <ul className="space-y-2 p-3">
          <CalendarEventCards events={events} projects={projects} />
        </ul>
      )}
    </Card>
  )
}

export function EstimatedDateNote({ from, to }: { from: string; to: string }) {
  const isCertain = getHolidayCertainty(from, to) === 'announced'
  return (
    <p className="text-xs text-ink-faint">
      วันที่มีป้าย “{getDeadlineCertaintyLabel({ isEstimate: true })}” ระบบนับเองตามข้อกฎหมายที่แสดงใต้วันนั้น โดยเว้นวันหยุดราชการ
      วันอุทธรณ์และวันหลังจากนั้นมีเฉพาะงานที่ทีมตัดสินใจยื่น ใช้วางแผนเท่านั้น ตรวจกับประกาศของหน่วยงานก่อนเสมอ
      {!isCertain && ' วันหยุดบางวันของช่วงนี้คำนวณไว้ล่วงหน้า ยังไม่มีประกาศ'}
    </p>
  )
}
