import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { USAGE_LOG_TYPES, type UsageLogPageResponse, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Listbox, type ListboxProps } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ThaiDateField } from '#src/ui/form/thai-date-field.tsx'
import type { ChangeUsageLogSearchFn } from './use-usage-log-search.ts'

type UsageFiltersProps = {
  search: UsageLogSearch
  change: ChangeUsageLogSearchFn
  users: UsageLogPageResponse['users']
}

const ALL = ''
const DEBOUNCE_MS = 400

export function UsageLogFilters({ search, change, users }: UsageFiltersProps) {
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
      <Choice
        label="ผู้ใช้"
        value={search.user?.length === 1 ? search.user[0]! : ALL}
        options={[{ value: ALL, th: 'ทุกคน' }, ...users.map(({ id, name }) => ({ value: String(id), th: name }))]}
        onChange={(value) => change({ user: value === ALL ? undefined : [value] })}
      />
      <Choice
        label="ประเภท"
        value={search.type?.length === 1 ? search.type[0]! : ALL}
        options={[{ value: ALL, th: 'ทุกประเภท' }, ...USAGE_LOG_TYPES.map(({ code, th }) => ({ value: code, th }))]}
        onChange={(value) => change({ type: value === ALL ? undefined : [value] })}
      />
      <ThaiDateField
        key={`from ${days?.from}`}
        label="ตั้งแต่วันที่"
        iso={days?.from ?? null}
        example={addDays(today, -7)}
        today={today}
        onSet={(iso) => setDay('from', iso)}
      />
      <ThaiDateField
        key={`to ${days?.to}`}
        label="ถึงวันที่"
        iso={days?.to ?? null}
        example={today}
        today={today}
        onSet={(iso) => setDay('to', iso)}
      />
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

function Choice(props: ListboxProps<string>) {
  return (
    <div>
      <span aria-hidden className="mb-1 block font-medium">
        {props.label}
      </span>
      <Listbox {...props} className="h-9 w-full touch:h-11.5" />
    </div>
  )
}
