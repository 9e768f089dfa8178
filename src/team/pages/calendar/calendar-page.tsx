import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarDays, CalendarPlus, FileClock, FilterX, ShieldAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import type { Calendar } from '#contract/team/calendar.ts'
import { CALENDAR_PARAMS, toCalendarQuery } from '#contract/team/calendar-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { isForbiddenError, ProblemError } from '#src/lib/problem-error.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { FiltersFromReport } from '#src/report/filter/filters-from-report.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { TeamPageFrame } from '#src/team/page-frame/team-page-frame.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { CalendarAgenda, CalendarDayPanel, CalendarWeekStrip, EstimatedDateNote } from './calendar-agenda.tsx'
import {
  CALENDAR_VIEW_TABS,
  CalendarKindChips,
  CalendarPeriodControls,
  CalendarSourceSelect,
  useCalendarUrlState,
} from './calendar-band.tsx'
import {
  formatThaiMonthAndYear,
  getCalendarRangeAround,
  groupEventsByDay,
  isSameMonth,
  listDaysOfWeek,
  listWeeksOfMonth,
  summarizeCalendarMonth,
} from './calendar-days.ts'
import { CalendarGrid } from './calendar-grid.tsx'
import { CalendarSubscribePanel } from './calendar-subscribe-panel.tsx'

const PARAMS = [...CALENDAR_PARAMS, ...REPORT_PARAMS]

export function CalendarPage() {
  const { search, ignored, change } = useCalendarUrlState()
  const today = useBangkokToday()
  const { day = today, saved, report } = search
  const query = useQuery(calendarQuery(getCalendarRangeAround(day), toCalendarQuery(search)))
  const { project_bookmark: stars } = useUser()
  const isMissing = query.error instanceof ProblemError && query.error.status === 404
  // Without its saved filter, the last calendar means nothing, so do not show it as stale.
  const data = isMissing ? undefined : query.data
  const isEmpty = ({ events }: Calendar) =>
    saved === undefined && report === undefined && stars.length === 0 && events.length === 0
  const visibleCalendar = data && !isEmpty(data) && !isForbiddenError(query.error) ? data : undefined
  return (
    <TeamPageFrame
      title="ปฏิทิน"
      figures={visibleCalendar && <MonthFigures day={day} calendar={visibleCalendar} />}
      actions={visibleCalendar && <CalendarActions />}
    >
      {report && <FiltersFromReport filters={report} onChange={(next) => change({ report: next })} />}
      <IgnoredParamsNotice params={PARAMS} ignored={ignored} />
      <QueryView
        query={{ ...query, data }}
        task="โหลดปฏิทิน"
        notesStale
        forbidden={
          <EmptyState icon={ShieldAlert} title="องค์กรของคุณยังไม่ได้เปิดส่วนรายงานโครงการ">
            ปฏิทินแสดงวันของโครงการในรายงาน ให้ผู้ดูแลขององค์กรติดต่อเราเพื่อเปิดใช้
          </EmptyState>
        }
        notFound={
          <EmptyState
            icon={FilterX}
            title="ไม่มีตัวกรองที่บันทึกนี้แล้ว"
            actions={<Button onClick={() => change({ saved: undefined })}>ดูโครงการที่ติดดาว</Button>}
          >
            ตัวกรองอาจถูกลบ หรือเป็นของคนอื่น
          </EmptyState>
        }
        barsClassName="grid grid-cols-7 gap-2"
        bars={Array(35).fill('h-24')}
        isEmpty={isEmpty}
        empty={<NoStarredProjects />}
      >
        {(calendar) => <Dates day={day} today={today} calendar={calendar} isOld={query.isPlaceholderData} />}
      </QueryView>
    </TeamPageFrame>
  )
}

function NoStarredProjects() {
  const { project_save_filter_profile: filters } = useUser()
  return (
    <EmptyState
      icon={CalendarDays}
      title="ยังไม่มีโครงการที่ติดตามวัน"
      actions={
        <>
          <Link to="/report" className={getButtonClasses('primary')}>
            ไปติดดาวในรายงาน
          </Link>
          <ContractEndsLink />
          {filters.length > 0 && <CalendarSourceSelect />}
        </>
      }
    >
      วันวิจารณ์ร่าง ยื่นข้อเสนอ ประกาศผล และสิ้นสุดสัญญาของโครงการที่ติดดาวและงานของเราจะขึ้นที่นี่
      {filters.length > 0 && ' หรือเลือกดูวันของโครงการในตัวกรองที่บันทึกไว้'}
    </EmptyState>
  )
}

function ContractEndsLink() {
  return (
    <Link
      to="/report"
      search={{ view: 'contract_ends', ends_within: 180 }}
      className={getButtonClasses('quiet')}
      title="สัญญาของงานที่ตรงคำของเราที่ใกล้หมด และจะประกาศอีกเมื่อไร"
    >
      <FileClock aria-hidden className="size-4" />
      สัญญาใกล้หมด
    </Link>
  )
}

function useShownEventsByDay({ events }: Calendar) {
  const { kind: kinds = [] } = useCalendarUrlState().search
  return groupEventsByDay(kinds.length === 0 ? events : events.filter(({ kind }) => kinds.includes(kind)))
}

type MonthFiguresProps = { day: string; calendar: Calendar }

function MonthFigures({ day, calendar }: MonthFiguresProps) {
  const figures = summarizeCalendarMonth(day, useShownEventsByDay(calendar))
  return (
    <>
      {formatThaiMonthAndYear(day)} {formatCount(figures.deadlines)} กำหนด · วันทำการ {figures.workingDays} วัน
      {figures.overloaded > 0 && ` · แน่น ${figures.overloaded} วัน`}
    </>
  )
}

function CalendarActions() {
  return (
    <>
      <ContractEndsLink />
      <CalendarSourceSelect />
      {!isDemoSession() && <CalendarSubscribeButton />}
    </>
  )
}

function Dates({ day, today, calendar, isOld }: MonthFiguresProps & { today: string; isOld: boolean }) {
  const { search, change } = useCalendarUrlState()
  const isPhone = useMediaQuery('(max-width: 767px)')
  const view = isPhone ? 'agenda' : (search.view ?? 'month')
  const heading = useRef<HTMLHeadingElement>(null)
  const { events, projects: projectList, from, to, is_cut: isCut } = calendar
  const byDay = useShownEventsByDay(calendar)
  const projects = new Map(projectList.map((project) => [project.project_id, project]))
  const week = listDaysOfWeek(day)
  const isInPeriod = {
    month: (date: string) => isSameMonth(date, day),
    week: (date: string) => week.includes(date),
    agenda: (date: string) => date >= day,
  }[view]
  const onDay = (next: string) => change({ day: next === today ? undefined : next }, 'replace')
  const dated = { byDay, projects, day, today }
  return (
    <>
      {isPhone && <CalendarWeekStrip {...dated} onDay={onDay} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <CalendarPeriodControls view={view} day={day} today={today} />
        <CalendarKindChips events={events.filter((event) => isInPeriod(event.day))} />
        {!isPhone && (
          <Tabs
            label="มุมมอง"
            variant="segment"
            items={CALENDAR_VIEW_TABS}
            value={view}
            onChange={(value) => change({ view: value === 'month' ? undefined : value })}
            panelId="calendar-panel"
            className="ml-auto"
          />
        )}
      </div>
      {isCut && (
        <Notice role="status" warns>
          มีโครงการมากเกินกว่าจะแสดงครบ ที่เห็นเป็นเพียงบางส่วน เลือกตัวกรองที่แคบลง
        </Notice>
      )}
      <div
        id="calendar-panel"
        role="tabpanel"
        aria-label="ปฏิทิน"
        aria-busy={isOld || undefined}
        className="aria-busy:opacity-50"
      >
        {view === 'agenda' ? (
          <div className="mx-auto max-w-3xl">
            <CalendarAgenda {...dated} to={to} />
          </div>
        ) : (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_304px] xl:grid-cols-[minmax(0,1fr)_320px]">
            <CalendarGrid
              {...dated}
              weeks={view === 'week' ? [week] : listWeeksOfMonth(day)}
              isWeek={view === 'week'}
              onDay={onDay}
              onOpen={() => heading.current?.focus()}
            />
            <CalendarDayPanel {...dated} onDay={onDay} headingRef={heading} />
          </div>
        )}
      </div>
      <EstimatedDateNote from={from} to={to} />
    </>
  )
}

function CalendarSubscribeButton() {
  const { search } = useCalendarUrlState()
  const { project_save_filter_profile: filters } = useUser()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" icon={CalendarPlus} onPointerEnter={preloadModal} onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">เชื่อมกับปฏิทินของฉัน</span>
      </Button>
      <Modal open={open} isTall onClose={() => setOpen(false)} title="สมัครรับด้วยลิงก์ลับ">
        <CalendarSubscribePanel search={search} filters={filters} />
      </Modal>
    </>
  )
}
