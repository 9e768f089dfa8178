import { useMutation, useQuery } from '@tanstack/react-query'
import { CalendarPlus, Copy } from 'lucide-react'
import { useState } from 'react'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import {
  CALENDAR_FEED_FORMATS,
  type CalendarFeed,
  type CalendarFeedFormat,
  MAX_FEED_PROJECTS,
  type NewCalendarFeed,
} from '#contract/team/calendar-feed.ts'
import { CALENDAR_SOURCES, type CalendarSearch, type CalendarSourceCode } from '#contract/team/calendar-params.ts'
import { ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { calendarFeedsQuery, createCalendarFeed, revokeCalendarFeed } from '#src/team/api/calendars.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { getCalendarSource, listCalendarSources, SAVED_PREFIX } from './calendar-band.tsx'

type CalendarSubscriptionProps = {
  search: Pick<CalendarSearch, 'of' | 'saved' | 'report'>
  filters: readonly SavedFilter[]
}

/** Prefix of a choice that names a team view. The user id of the view's owner and the view's id follow. */
const VIEW_PREFIX = 'view:'

function feedOf(choice: string, format: CalendarFeedFormat): NewCalendarFeed {
  if (choice.startsWith(SAVED_PREFIX)) return { source: 'filter', filter_id: choice.slice(SAVED_PREFIX.length), format }
  if (!choice.startsWith(VIEW_PREFIX)) return { source: choice as CalendarSourceCode }
  const [, owner = '', id = ''] = /^view:(\d+):(.*)$/s.exec(choice) ?? []
  return { source: 'view', filter_id: id, owner: Number(owner), format }
}

const INTRODUCTIONS: Readonly<Record<CalendarFeedFormat, string>> = {
  ics: 'ได้ลิงก์ลับไปใส่ใน Google Calendar, Outlook หรือปฏิทินของ iPhone วันที่เลื่อนจะเลื่อนตาม',
  atom: `ได้ลิงก์ลับไปใส่ในโปรแกรมอ่านฟีด เช่น Outlook, Thunderbird หรือ Feedly มี ${MAX_FEED_PROJECTS.atom} โครงการล่าสุดของตัวกรอง`,
  csv: `ได้ลิงก์ลับไปใส่ใน Excel หรือ Google Sheets ตารางอัปเดตตามตัวกรอง ไม่เกิน ${MAX_FEED_PROJECTS.csv.toLocaleString('en')} โครงการ`,
}
const NEXT_STEPS: Readonly<Record<CalendarFeedFormat, string>> = {
  ics: 'แอปปฏิทินดึงข้อมูลเองเป็นรอบ Google อาจช้าได้ถึงหนึ่งวัน อย่าใช้เป็นที่เตือนเพียงที่เดียว',
  atom: 'เพิ่มลิงก์นี้เป็นฟีดใหม่ โปรแกรมดึงข้อมูลเองเป็นรอบ อย่าใช้เป็นที่เตือนเพียงที่เดียว',
  csv: 'ใน Excel: ข้อมูล → จากเว็บ (Data → From Web) แล้ววางลิงก์ กดรีเฟรชเมื่ออยากได้ข้อมูลใหม่ ใน Google Sheets: =IMPORTDATA("ลิงก์")',
}

export function CalendarSubscribePanel({ search, filters }: CalendarSubscriptionProps) {
  const [source, setSource] = useState(getCalendarSource(search))
  const [chosen, setFormat] = useState<CalendarFeedFormat>('ics')
  const views = useTeamLabelsAndViews()?.views ?? []
  const isFilter = source.startsWith(SAVED_PREFIX) || source.startsWith(VIEW_PREFIX)
  const format = isFilter ? chosen : 'ics'
  const [createdFeed, setCreatedFeed] = useState<{ url: string; format: CalendarFeedFormat }>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: createCalendarFeed,
    onSuccess: (url) => setCreatedFeed({ url, format }),
  })
  const options = [
    ...listCalendarSources(filters),
    ...views.map(({ id, owner, owner_name: by, filterName }) => ({
      value: `${VIEW_PREFIX}${owner}:${id}`,
      th: `${filterName} (ทีม: ${by})`,
    })),
  ]
  return (
    <div className="space-y-5 p-4">
      <section className="space-y-3">
        <p className="text-ink-muted">{INTRODUCTIONS[format]} ใครมีลิงก์ก็เห็นโครงการ แต่ไม่เห็นโน้ต ป้าย หรือบัญชีของคุณ</p>
        <div className="flex flex-wrap items-center gap-2">
          <Listbox
            label="โครงการ"
            value={source}
            options={options}
            onChange={setSource}
            className="h-9 min-w-48 flex-1 touch:h-11"
          />
          {isFilter && (
            <Listbox
              label="รูปแบบ"
              value={format}
              options={CALENDAR_FEED_FORMATS.map(({ code, th }) => ({ value: code, th }))}
              onChange={(value) => setFormat(value as CalendarFeedFormat)}
              className="h-9 min-w-48 flex-1 touch:h-11"
            />
          )}
          <Button
            variant="primary"
            icon={CalendarPlus}
            pending={isPending}
            onClick={() => mutate(feedOf(source, format))}
          >
            สร้างลิงก์
          </Button>
        </div>
        {!isFilter && filters.length + views.length > 0 && (
          <p className="text-sm text-ink-muted">เลือกตัวกรองที่บันทึกไว้ เพื่อรับรายการโครงการเป็นฟีดข่าวหรือตาราง Excel ได้ด้วย</p>
        )}
        {source.startsWith(VIEW_PREFIX) && (
          <p className="text-sm text-ink-muted">ลิงก์ใช้ได้เท่าที่เจ้าของยังแบ่งมุมมองนี้ให้ทีม เลิกแบ่งเมื่อใดลิงก์หยุดทันที แบ่งใหม่ก็ใช้ต่อได้</p>
        )}
        {search.report && <p className="text-sm text-ink-muted">ตัวกรองจากรายงานต้องบันทึกก่อนจึงสมัครรับได้</p>}
        {error && <ErrorNotice title="สร้างลิงก์ไม่สำเร็จ" error={error} />}
        {createdFeed && <NewFeedUrl {...createdFeed} />}
      </section>
      <Feeds />
    </div>
  )
}

/** Shows the URL of a new feed once, because the server never returns it again. */
function NewFeedUrl({ url, format }: { url: string; format: CalendarFeedFormat }) {
  const copy = () => copyWithToast(url, 'คัดลอกลิงก์แล้ว', 'คัดลอกไม่ได้ กดค้างที่ลิงก์แล้วคัดลอกเอง')
  return (
    <div role="status" className="space-y-2 rounded-card border border-accent-line bg-accent-soft p-3">
      <p className="font-medium">ลิงก์พร้อมใช้ เก็บไว้ตอนนี้ เพราะจะไม่แสดงอีก</p>
      <p className="rounded-control border border-line bg-surface px-2.5 py-1.5 text-sm wrap-anywhere select-all">
        {url}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={Copy} onClick={() => void copy()}>
          คัดลอกลิงก์
        </Button>
        {format === 'ics' && (
          <a href={url.replace(/^https?:/, 'webcal:')} className={getButtonClasses('secondary', 'sm')}>
            เปิดในแอปปฏิทิน
          </a>
        )}
      </div>
      <p className="text-xs text-ink-muted">{NEXT_STEPS[format]}</p>
    </div>
  )
}

function Feeds() {
  const calendarFeeds = useQuery(calendarFeedsQuery)
  return (
    <QueryView query={calendarFeeds} task="โหลดลิงก์ที่มีอยู่" bars={['h-10']} isEmpty={({ feeds }) => feeds.length === 0}>
      {({ feeds, most: maxFeeds }) => (
        <section aria-label="ลิงก์ที่ใช้งานอยู่">
          <h2 className="mb-1 font-medium">
            ลิงก์ที่ใช้งานอยู่ {feeds.length} จาก {maxFeeds}
          </h2>
          <ul className="divide-y divide-line rounded-card border border-line">
            {feeds.map((feed) => (
              <FeedRow key={feed.id} feed={feed} />
            ))}
          </ul>
        </section>
      )}
    </QueryView>
  )
}

function FeedRow({ feed }: { feed: CalendarFeed }) {
  const { id, source, format, name, owner_name: by, is_over: isOver, created_at: created, fetched_at: fetched } = feed
  const sourceName = name ?? CALENDAR_SOURCES.find(({ code }) => code === source)?.th
  const of = source === 'view' ? `${sourceName ?? 'มุมมองทีม'} (ทีม: ${by})` : (sourceName ?? 'ตัวกรองที่บันทึก')
  const kind = CALENDAR_FEED_FORMATS.find(({ code }) => code === format)?.th
  const title = `${of} ${kind}`
  return (
    <li className="px-3 py-2">
      <ConfirmedAction
        label={`ยกเลิกลิงก์ ${title}`}
        question="โปรแกรมที่ใช้ลิงก์นี้จะหยุดอัปเดตทันที"
        no="ใช้ต่อ"
        yes="ยกเลิกลิงก์"
        run={() => revokeCalendarFeed(id)}
        failed="ยกเลิกลิงก์ไม่สำเร็จ"
        done={`ยกเลิกลิงก์ “${title}” แล้ว`}
      >
        {(ask) => (
          <div className="flex items-center gap-3">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{of}</p>
              {isOver && <p className="text-xs text-updated">เจ้าของเลิกแบ่งแล้ว ลิงก์นี้ไม่ตอบจนกว่าจะแบ่งใหม่</p>}
              <p className="text-xs text-ink-muted">
                {kind} · สร้าง {formatThaiDateTime(created)} ·{' '}
                {fetched === null ? 'ยังไม่มีโปรแกรมมาดึง' : `ดึงล่าสุด ${formatThaiDateTime(fetched)}`}
              </p>
            </div>
            <Button size="sm" variant="quiet" of={`ลิงก์ ${title}`} onClick={ask}>
              ยกเลิก
            </Button>
          </div>
        )}
      </ConfirmedAction>
    </li>
  )
}
