import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { departmentsQuery } from '#src/catalogue/api/departments.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { AllOrOwnProjectsSwitch } from './figure-universe-switch.tsx'
import { FiscalYearRangeFields } from './fiscal-year-range-fields.tsx'
import { groupProvincesByRegion, ProvinceField } from './province-field.tsx'
import {
  buildStatisticsScopeListPatch,
  STATISTICS_SCOPE_LIST_PARAMS,
  type StatisticsScopeListParam,
  type StatisticsScopePatch,
  withStatisticsScopeValue,
} from './statistics-scope-patch.ts'
import {
  countStatisticsScopeFilters,
  getStatisticsScopeValueLabel,
  STATISTICS_SCOPE_LIST_LABELS,
  useKeywordGroupChoices,
} from './statistics-scope-text.ts'

type ChoiceFieldProps = {
  label: string
  choices: readonly { readonly code: string; readonly th: string }[]
  values: readonly string[] | undefined
  textOf: (value: string) => string
  onChange: (values: readonly string[] | undefined) => void
}

const SEARCH_BOX_THRESHOLD = 15

/**
 * Renders a filter as checkboxes. Values in the URL that are not among the choices come first, so that the user can
 * remove them.
 */
function ChoiceField({ label, choices, values, textOf, onChange }: ChoiceFieldProps) {
  const [searchText, setSearchText] = useState('')
  const form = toNormalisedSearchText(searchText)
  const unknown = (values ?? []).filter((value) => choices.every(({ code }) => code !== value))
  const visibleChoices = [...unknown.map((code) => ({ code, th: textOf(code) })), ...choices].filter(({ th }) =>
    toNormalisedSearchText(th).includes(form),
  )
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      {choices.length >= SEARCH_BOX_THRESHOLD && (
        <TextField
          label={`ค้น${label}`}
          hideLabel
          icon={Search}
          placeholder={`ค้น${label}`}
          autoComplete="off"
          data-autofocus
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      <div className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {visibleChoices.map(({ code, th }) => (
          <Checkbox
            key={code}
            checked={values?.includes(code) ?? false}
            onChange={(on) => onChange(withStatisticsScopeValue(values, code, on))}
          >
            {th}
          </Checkbox>
        ))}
        {visibleChoices.length === 0 && <p className="text-ink-faint">ไม่พบ</p>}
      </div>
    </fieldset>
  )
}

function ScopeMenu({ label, chosen, children }: { label: string; chosen: readonly string[]; children: ReactNode }) {
  const { buttonProps, popoverProps } = usePopover()
  const isOn = chosen.length > 0
  const text = chosen.length > 1 ? `${label} ${formatCount(chosen.length)}` : (chosen[0] ?? label)
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={isOn ? `${label}: ${chosen.join(', ')}` : label}
        title={isOn ? chosen.join(', ') : undefined}
        className={getButtonClasses(
          'secondary',
          'md',
          classNames('gap-1.5 px-2.5', isOn && 'border-accent! text-accent-ink'),
        )}
      >
        <span className="max-w-40 truncate">{text}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      <Popover {...popoverProps} label={label} className="w-80 p-3">
        {children}
      </Popover>
    </>
  )
}

function ScopeSheet({ count, children }: { count: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-haspopup="dialog"
        onPointerEnter={preloadModal}
        onFocus={preloadModal}
        onClick={() => setOpen(true)}
      >
        ขอบเขต
        {count > 0 && ' '}
        {count > 0 && <CountBadge count={count} label="ตัวกรองที่ใช้อยู่" />}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        variant="sheet"
        title="ขอบเขตของตัวเลข"
        footer={
          <Button variant="primary" className="flex-1" onClick={() => setOpen(false)}>
            ดูผล
          </Button>
        }
      >
        <div className="space-y-4 p-4">{children}</div>
      </Modal>
    </>
  )
}

const CHOICES = {
  project_method__in: PROCUREMENT_METHODS,
  project_method_type__in: PROCUREMENT_METHOD_TYPES,
} as const

type ScopeFieldsProps = {
  search: StatisticsScopeSearch
  onChange: (change: StatisticsScopePatch) => void
  frame: (name: StatisticsScopeListParam, field: ReactNode, chosen: readonly string[]) => ReactNode
}

function ScopeFields({ search, onChange, frame }: ScopeFieldsProps) {
  const groups = useKeywordGroupChoices()
  return STATISTICS_SCOPE_LIST_PARAMS.map((name) => {
    const values = search[name]
    if (name === 'keyword_group__in' && groups.length === 0 && values === undefined) return null
    const set = (next: readonly string[] | undefined) => onChange(buildStatisticsScopeListPatch(name, next))
    const label = STATISTICS_SCOPE_LIST_LABELS[name]
    const field =
      name === 'project_dept_sub__in' ? (
        <DepartmentField values={values} onChange={set} />
      ) : name === 'project_province__in' ? (
        <ProvinceField label={label} values={values} onChange={set} />
      ) : (
        <ChoiceField
          label={label}
          choices={name === 'keyword_group__in' ? groups : CHOICES[name]}
          values={values}
          textOf={(value) => getStatisticsScopeValueLabel(name, value, groups)}
          onChange={set}
        />
      )
    return frame(
      name,
      field,
      name === 'project_province__in'
        ? groupProvincesByRegion(values ?? []).map(({ th }) => th)
        : (values ?? []).map((value) => getStatisticsScopeValueLabel(name, value, groups)),
    )
  })
}

export type StatisticsScopeBarProps = {
  search: StatisticsScopeSearch
  years: readonly number[]
  onChange: (change: StatisticsScopePatch) => void
  children?: ReactNode
  otherCount?: number
}

const BAR_MEDIA_QUERY = '(min-width: 48rem)'

export function StatisticsScopeBar({ search, years, onChange, children, otherCount = 0 }: StatisticsScopeBarProps) {
  const isBar = useMediaQuery(BAR_MEDIA_QUERY)
  const universe = (
    <AllOrOwnProjectsSwitch
      universe={search.scope === 'watch' || search.keyword_group__in ? 'watch' : 'all'}
      onChange={(next) =>
        onChange(next === 'watch' ? { scope: next } : { scope: undefined, keyword_group__in: undefined })
      }
      {...(isBar ? {} : { className: 'flex-1' })}
    />
  )
  if (isBar) {
    return (
      <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
        {universe}
        <FiscalYearRangeFields search={search} years={years} onChange={onChange} />
        <ScopeFields
          search={search}
          onChange={onChange}
          frame={(name, field, chosen) => (
            <ScopeMenu key={name} label={STATISTICS_SCOPE_LIST_LABELS[name]} chosen={chosen}>
              {field}
            </ScopeMenu>
          )}
        />
        {children}
      </section>
    )
  }
  const { scope: _, ...remainder } = search
  return (
    <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
      {universe}
      <ScopeSheet count={countStatisticsScopeFilters(remainder) + otherCount}>
        <FiscalYearRangeFields search={search} years={years} onChange={onChange} className="flex!" />
        <ScopeFields
          search={search}
          onChange={onChange}
          frame={(name, field) => (
            <div key={name}>
              <p className="mb-1 font-medium">{STATISTICS_SCOPE_LIST_LABELS[name]}</p>
              {field}
            </div>
          )}
        />
        {children}
      </ScopeSheet>
    </section>
  )
}

type DepartmentFieldProps = {
  values: readonly string[] | undefined
  onChange: (values: readonly string[] | undefined) => void
}

function DepartmentField({ values, onChange }: DepartmentFieldProps) {
  const [searchText, setSearchText] = useState('')
  const q = useDebouncedText(searchText.trim())
  const departments = useQuery(departmentsQuery(q === '' ? undefined : { q }))
  const chosen = values ?? []
  const rows = onePerName(departments.data?.results ?? []).filter(({ word }) => !chosen.includes(word))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">หน่วยงาน</legend>
      <TextField
        label="ค้นหาหน่วยงาน"
        hideLabel
        icon={Search}
        placeholder="ค้นหาหน่วยงาน เช่น กรมทางหลวง"
        autoComplete="off"
        data-autofocus
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
        className="mb-2"
      />
      <div aria-busy={departments.isFetching} className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {chosen.map((name) => (
          <Checkbox key={name} checked onChange={() => onChange(withStatisticsScopeValue(values, name, false))}>
            {name}
          </Checkbox>
        ))}
        <QueryView
          query={departments}
          task="โหลดรายชื่อหน่วยงาน"
          skeleton={<Spinner label="กำลังค้นหาหน่วยงาน" className="py-3" />}
          isEmpty={() => rows.length === 0}
          empty={chosen.length === 0 && <p className="py-2 text-ink-muted">ไม่พบหน่วยงานชื่อนี้ ลองใช้คำสั้นลง</p>}
        >
          {() =>
            rows.map((entry) => (
              <Checkbox
                key={entry.word}
                checked={false}
                onChange={() => onChange(withStatisticsScopeValue(values, entry.word, true))}
              >
                {entry.word}
                <span className="block text-xs text-ink-faint">{noteOf(entry)}</span>
              </Checkbox>
            ))
          }
        </QueryView>
      </div>
    </fieldset>
  )
}

/** Keeps one unit per name, because the scope filters by name only. */
function onePerName(entries: readonly DepartmentUnit[]): DepartmentUnit[] {
  return [...new Map(entries.map((entry) => [entry.word, entry])).values()]
}

function noteOf({ unit, department, same_name }: DepartmentUnit): string {
  if (unit === '') return 'ทั้งหน่วยงาน'
  return same_name > 1 ? `ชื่อนี้มีใน ${same_name} หน่วยงาน` : department
}
