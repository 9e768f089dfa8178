import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { History, Search, ShieldAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import {
  formatUsageLogSearch,
  USAGE_LOG_DEFAULT_PAGE_SIZE,
  USAGE_LOG_PAGE_SIZES,
  USAGE_LOG_PARAMS,
  USAGE_LOG_TYPES,
  type UsageLogEntry,
  type UsageLogPageResponse,
  type UsageLogSearch,
} from '#contract/account/usage-log.ts'
import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { addDays, formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { downloadUsageLog, usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getErrorText, isForbiddenError } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { applyPatchOfPagedList, type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { DownloadButton } from '#src/report/file-download/download-button.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ThaiDateField } from '#src/ui/form/thai-date-field.tsx'
import { Pager } from '#src/ui/pager.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

const route = getRouteApi('/_app/logs')

/** Formats a UTC time to the second in Bangkok time: `21/11/2569 12:00:05`. */
function usageTime(utcIso: string): string {
  const instant = new Date(utcIso)
  return `${formatBangkokTime(instant)}${instant.toISOString().slice(16, 19)}`
}

function UsageEntries({ entries }: { entries: readonly UsageLogEntry[] }) {
  return (
    <>
      <DataTable
        caption="ประวัติการใช้งาน รายการล่าสุดอยู่บนสุด"
        className="max-md:hidden"
        rows={entries}
        getKey={({ id }) => id}
        columns={[
          { head: 'วันเวลา', className: 'whitespace-nowrap tabular-nums', cell: ({ datetime }) => usageTime(datetime) },
          { head: 'ผู้ใช้', cell: ({ user }) => user ?? <UnknownValue /> },
          { head: 'ประเภท', cell: ({ type }) => <Badge>{getChoiceLabel(USAGE_LOG_TYPES, type)}</Badge> },
          { head: 'รายละเอียด', cell: (entry) => <Description entry={entry} /> },
        ]}
      />
      <ul className="divide-y divide-line md:hidden">
        {entries.map((entry) => (
          <li key={entry.id} className="space-y-1 px-4 py-3">
            <p className="flex items-center justify-between gap-2 text-xs text-ink-muted">
              <span className="tabular-nums">{usageTime(entry.datetime)}</span>
              <Badge>{getChoiceLabel(USAGE_LOG_TYPES, entry.type)}</Badge>
            </p>
            <p className="font-medium">{entry.user ?? 'ไม่ทราบชื่อ'}</p>
            <Description entry={entry} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Description({ entry: { description, additional_info: info } }: { entry: UsageLogEntry }) {
  const [only] = info
  if (only === undefined) return <p>{description}</p>
  if (info.length === 1)
    return (
      <p>
        {description} <span className="text-ink-muted">· {only.name}</span> {only.value}
      </p>
    )
  return (
    <details>
      <summary className="cursor-pointer rounded-control py-0.5 touch:py-3">
        {description} <span className="text-ink-muted">· {info.length} ข้อมูล</span>
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pl-4">
        {withReactKeys(info, ({ name }) => name).map(({ key, item }) => (
          <div key={key} className="contents">
            <dt className="text-ink-muted">{item.name}</dt>
            <dd className="min-w-0">{item.value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const reasonOf = (error: unknown) =>
  (error as Error).name === 'TimeoutError' ? 'ใช้เวลาเกิน 2 นาที กรองช่วงวันที่ให้แคบลงแล้วลองใหม่' : getErrorText(error)

export function UsageLogPage() {
  const { search, ignored, change } = useSearchState<UsageLogSearch>(
    route.useSearch(),
    route.useNavigate(),
    applyPatchOfPagedList,
  )
  const usageLog = useQuery(usageLogPageQuery(formatUsageLogSearch(search)))
  const { data, error, isPlaceholderData } = usageLog
  const { page = 1, page_size: pageSize = USAGE_LOG_DEFAULT_PAGE_SIZE, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  const isForbidden = isForbiddenError(error)
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold">ประวัติการใช้งาน</h1>
          {data?.first_at != null && (
            <p className="text-xs text-ink-muted">เก็บตั้งแต่ {formatThaiDateTime(data.first_at)}</p>
          )}
        </div>
        {data && (
          <div className="flex items-center gap-2">
            <DownloadButton
              stem="USAGE_HISTORY_"
              save={(name, tell, signal) => downloadUsageLog(formatUsageLogSearch(filters), name, tell, signal)}
              doneText={(name) => `บันทึก ${name} แล้ว`}
              reasonOf={reasonOf}
              cancellable
            />
          </div>
        )}
      </div>
      {isForbidden ? (
        <EmptyState icon={ShieldAlert} title="หน้านี้สำหรับผู้ดูแลขององค์กร">
          ให้ผู้ดูแล (Super User) เปิดหน้านี้ หรือขอสิทธิจากเรา
        </EmptyState>
      ) : (
        <>
          <UsageLogFilters search={search} change={change} users={data?.users ?? []} />
          <IgnoredParamsNotice params={USAGE_LOG_PARAMS} ignored={ignored} />
          <QueryView
            query={usageLog}
            task="โหลดประวัติการใช้งาน"
            notesStale
            barsClassName="space-y-3"
            bars={['h-10 w-full', 'h-10 w-full', 'h-10 w-full', 'h-10 w-full', 'h-10 w-full']}
            isEmpty={(log) => log.total_project === 0}
            empty={
              <EmptyState
                icon={History}
                title={isFiltered ? 'ไม่มีการใช้งานที่ตรงกับตัวกรองนี้' : 'ยังไม่มีการใช้งานที่บันทึกไว้'}
                actions={
                  isFiltered ? (
                    <Button
                      onClick={() => change({ user: undefined, type: undefined, date__range: undefined, q: undefined })}
                    >
                      ล้างตัวกรอง
                    </Button>
                  ) : (
                    <Link to="/report" className={getButtonClasses()}>
                      ไปที่รายงานโครงการ
                    </Link>
                  )
                }
              >
                {isFiltered ? 'ลองช่วงวันที่กว้างขึ้น หรือคำอื่น' : 'เมื่อมีคนเข้าสู่ระบบ ค้นหา ติดดาว หรือแก้คำติดตาม จะแสดงที่นี่'}
              </EmptyState>
            }
          >
            {(log) => (
              <>
                <VisuallyHidden live>พบ {formatCount(log.total_project)} รายการ</VisuallyHidden>
                <Card
                  aria-busy={isPlaceholderData || undefined}
                  className={classNames('overflow-hidden', isPlaceholderData && 'opacity-60')}
                >
                  <UsageEntries entries={log.results} />
                </Card>
                <Pager
                  label="หน้าของประวัติการใช้งาน"
                  page={page}
                  pageSize={pageSize}
                  total={log.total_project}
                  sizes={USAGE_LOG_PAGE_SIZES}
                  onPage={(to) => change({ page: to === 1 ? undefined : to })}
                  onSize={(size) => change({ page_size: size === USAGE_LOG_DEFAULT_PAGE_SIZE ? undefined : size })}
                />
              </>
            )}
          </QueryView>
        </>
      )}
    </div>
  )
}

type UsageFiltersProps = {
  search: UsageLogSearch
  change: ChangeSearchFn<UsageLogSearch>
  users: UsageLogPageResponse['users']
}

const DAY_FIELDS = [
  { side: 'from', label: 'ตั้งแต่วันที่', exampleOffset: -7 },
  { side: 'to', label: 'ถึงวันที่', exampleOffset: 0 },
] as const
const ALL = ''
const DEBOUNCE_MS = 400

function UsageLogFilters({ search, change, users }: UsageFiltersProps) {
  const today = useBangkokToday()
  const { date__range: days } = search
  const setDay = (side: 'from' | 'to', iso: string | null) => {
    const range = { from: days?.from ?? null, to: days?.to ?? null, [side]: iso }
    const swapped =
      range.from !== null && range.to !== null && range.from > range.to ? { from: range.to, to: range.from } : range
    change({ date__range: swapped.from === null && swapped.to === null ? undefined : swapped })
  }
  return (
    <search aria-label="กรองประวัติการใช้งาน" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[2fr_1.5fr_1fr_1fr_1fr]">
      <TextSearch value={search.q ?? ''} onSettle={(q) => change({ q: q === '' ? undefined : q })} />
      <ListboxField
        className="w-full"
        label="ผู้ใช้"
        value={search.user?.length === 1 ? search.user[0]! : ALL}
        options={[{ value: ALL, th: 'ทุกคน' }, ...users.map(({ id, name }) => ({ value: String(id), th: name }))]}
        onChange={(value) => change({ user: value === ALL ? undefined : [value] })}
      />
      <ListboxField
        className="w-full"
        label="ประเภท"
        value={search.type?.length === 1 ? search.type[0]! : ALL}
        options={[{ value: ALL, th: 'ทุกประเภท' }, ...USAGE_LOG_TYPES.map(({ code, th }) => ({ value: code, th }))]}
        onChange={(value) => change({ type: value === ALL ? undefined : [value] })}
      />
      {DAY_FIELDS.map(({ side, label, exampleOffset }) => (
        <ThaiDateField
          key={`${side} ${days?.[side]}`}
          label={label}
          iso={days?.[side] ?? null}
          example={addDays(today, exampleOffset)}
          today={today}
          onSet={(iso) => setDay(side, iso)}
        />
      ))}
    </search>
  )
}

function TextSearch({ value, onSettle }: { value: string; onSettle: (text: string) => void }) {
  const [text, setText] = useState(value)
  const [settledValue, setSettledValue] = useState(value)
  if (value !== settledValue) {
    setSettledValue(value)
    // The URL was changed by something other than typing, such as Back or "clear".
    if (value !== text.trim()) setText(value)
  }
  const settle = useEffectEvent(() => onSettle(text.trim()))
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(settle, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <TextField
      label="ค้นหา"
      type="search"
      icon={Search}
      value={text}
      placeholder="คำติดตาม เลขที่โครงการ …"
      maxLength={200}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSettle(text.trim())
      }}
    />
  )
}
