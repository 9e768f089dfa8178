import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { parseAgencyUnit } from '#contract/catalogue/agency-name.ts'
import { MAX_AGENCY_OPTIONS, MAX_AGENCY_TEXT_LENGTH } from '#contract/report/report.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { reportAgenciesQuery } from '#src/report/api/reports.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { useListFilter } from './use-list-filter.tsx'

const NAME = 'project_agency__in'

export function AgencyFilter({ context }: { context: FilterContext }) {
  const { selected, toggle, negationSwitch } = useListFilter(NAME, context)
  const [searchText, setSearchText] = useState('')
  const text = useDebouncedText(searchText.trim())
  const agencies = useQuery(reportAgenciesQuery(context.search, text))
  const [showsAll, setShowsAll] = useState(false)
  const { th: title, panel } = findReportParam(NAME)
  const counts = new Map(agencies.data?.results.map(({ value, count }) => [value, count]))
  const unselected = [...counts.keys()].filter((value) => !selected.includes(value))
  const total = agencies.data?.total ?? 0
  const isShort = text === '' && !showsAll
  const visible = isShort ? unselected.slice(0, panel?.shortList) : unselected

  const option = (value: string) => {
    const { agency, unit } = parseAgencyUnit(value)
    const count = counts.get(value) ?? 0
    return (
      <Checkbox
        key={value}
        checked={selected.includes(value)}
        onChange={(on) => toggle([value], on)}
        trailing={agencies.data ? formatCount(count) : ''}
        className={agencies.data && count === 0 ? 'text-ink-faint' : ''}
      >
        {unit ?? agency}
        {unit !== undefined && <span className="block text-xs text-ink-faint">{agency}</span>}
      </Checkbox>
    )
  }
  return (
    <FilterFieldset
      title={title}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') setShowsAll(true)
        moveFocusByArrows(event)
      }}
    >
      <TextField
        label="ค้นหาหน่วยงาน"
        hideLabel
        icon={Search}
        type="search"
        placeholder="ชื่อหน่วยงานหรือหน่วยซื้อ"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={MAX_AGENCY_TEXT_LENGTH}
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
        // Not on focus, because Tab would then have to pass fifty options.
        onClick={() => setShowsAll(true)}
        className="mb-2"
      />
      <div aria-busy={agencies.isFetching} className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {selected.map(option)}
        <QueryView
          query={agencies}
          task="โหลดรายชื่อหน่วยงาน"
          barsClassName="flex flex-col gap-2"
          bars={['h-6', 'h-6 w-2/3']}
          isEmpty={() => unselected.length === 0}
          empty={
            <p className="py-2 text-sm text-ink-muted">{text === '' ? 'ไม่มีหน่วยงานอื่นในผลค้นนี้' : 'ไม่มีหน่วยงานอื่นที่ชื่อมีคำนี้'}</p>
          }
        >
          {() => visible.map(option)}
        </QueryView>
      </div>
      <p role="status" className="text-xs text-ink-muted">
        {!isShort && total > MAX_AGENCY_OPTIONS
          ? `แสดง ${MAX_AGENCY_OPTIONS} จาก ${formatCount(total)} รายการ พิมพ์ชื่อเพื่อค้นหา`
          : text !== '' && total > 0 && `พบ ${formatCount(total)} รายการ`}
      </p>
      {negationSwitch}
    </FilterFieldset>
  )
}

/** Moves the focus between the search field and the options, so that reaching the list takes one key. */
function moveFocusByArrows(event: KeyboardEvent<HTMLFieldSetElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || event.nativeEvent.isComposing) return
  const inputs: readonly (Element | null)[] = [...event.currentTarget.elements].filter(
    (control) => control instanceof HTMLInputElement,
  )
  const next = inputs[inputs.indexOf(document.activeElement) + step]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
