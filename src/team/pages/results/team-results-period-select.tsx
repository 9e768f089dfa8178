import { useState } from 'react'
import { resolveTeamResultsPeriod, type TeamResultsSearch } from '#contract/team/team-results.ts'
import { formatThaiDateShort, getFiscalYear, getFiscalYearRange } from '#contract/thai/thai-date.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { ThaiDateField } from '#src/ui/form/thai-date-field.tsx'
import { useTeamResultsUrlState } from './use-team-results-url-state.ts'

const LAST_YEAR = '12'
const ALL = 'all'
const CUSTOM = 'own'
const FISCAL_YEARS = 3

type Range = { readonly from: string | null; readonly to: string | null }
const isSame = (a: Range, b: Range) => a.from === b.from && a.to === b.to

const fiscalYears = (today: string) =>
  Array.from({ length: FISCAL_YEARS }, (_, yearsBack) => {
    const year = getFiscalYear(today) - yearsBack
    return { value: String(year), th: `ปีงบประมาณ ${year}`, range: getFiscalYearRange(year) }
  })

export function formatTeamResultsPeriod(search: TeamResultsSearch, today: string): string {
  const { from, to } = resolveTeamResultsPeriod(search, today)
  if (from === null && to === null) return 'ทุกช่วงเวลา'
  if (to === null) return `ตั้งแต่ ${formatThaiDateShort(from)}`
  if (from === null) return `ถึง ${formatThaiDateShort(to)}`
  return `${formatThaiDateShort(from)} – ${formatThaiDateShort(to)}`
}

export function TeamResultsPeriodSelect({ today }: { today: string }) {
  const { search, change } = useTeamResultsUrlState()
  const { date__range: range, all } = search
  const years = fiscalYears(today)
  const year = range && years.find((option) => isSame(option.range, range))
  const [isCustom, setCustom] = useState(false)
  const value = isCustom || (range && !year) ? CUSTOM : (year?.value ?? (all ? ALL : LAST_YEAR))
  const choose = (next: string) => {
    setCustom(next === CUSTOM)
    if (next === CUSTOM) return
    const chosen = years.find((option) => option.value === next)?.range
    change({ date__range: chosen, all: next === ALL ? true : undefined })
  }
  const period = resolveTeamResultsPeriod(search, today)
  const setDay = (side: 'from' | 'to', iso: string | null) => {
    const next = { ...period, [side]: iso }
    const isTurned = next.from !== null && next.to !== null && next.from > next.to
    const days = isTurned ? { from: next.to, to: next.from } : next
    const isOpen = days.from === null && days.to === null
    change({ date__range: isOpen ? undefined : days, all: isOpen ? true : undefined })
  }
  return (
    <div className="flex flex-wrap items-end gap-2 print:hidden">
      {value === CUSTOM && (
        <div className="grid w-72 grid-cols-2 gap-2">
          {(['from', 'to'] as const).map((side) => (
            <ThaiDateField
              key={`${side} ${period[side]}`}
              label={side === 'from' ? 'ตั้งแต่วันที่' : 'ถึงวันที่'}
              iso={period[side]}
              example={today}
              today={today}
              onSet={(iso) => setDay(side, iso)}
            />
          ))}
        </div>
      )}
      <Listbox
        label="ช่วงเวลา"
        value={value}
        options={[
          { value: LAST_YEAR, th: '12 เดือนล่าสุด' },
          ...years.map(({ value: code, th }) => ({ value: code, th })),
          { value: ALL, th: 'ทุกช่วงเวลา' },
          { value: CUSTOM, th: 'กำหนดเอง' },
        ]}
        onChange={choose}
        className="h-9 touch:h-11"
      />
    </div>
  )
}
