import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DepartmentUnit } from '#contract/catalogue/department.ts'
import { PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { departmentsQuery } from '#src/catalogue/api/departments.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { FilterMenu } from '#src/market/filter/filter-menu.tsx'
import { OptionList, OptionSearchField } from '#src/market/filter/option-list.tsx'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { AllOrOwnProjectsSwitch } from './all-or-own-projects-switch.tsx'
import { FiscalYearRangeFields } from './fiscal-year-range-fields.tsx'
import { ProvinceField } from './province-field.tsx'
import {
  getStatisticsScopeValueLabel,
  SCOPE_LIST_FILTER_LABELS,
  SCOPE_LIST_FILTER_NAMES,
  type ScopeListFilterName,
  type StatisticsScopePatch,
  useKeywordGroupChoices,
  useStatisticsScopeTexts,
} from './statistics-scope-filters.ts'

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

const CHOICES = { project_method__in: PROCUREMENT_METHODS, project_method_type__in: PROCUREMENT_METHOD_TYPES } as const

type StatisticsScopeBarProps = {
  search: StatisticsScopeSearch
  years: readonly number[]
  onChange: (change: StatisticsScopePatch) => void
  children?: ReactNode
  otherCount?: number
}

export function StatisticsScopeBar({ search, years, onChange, children, otherCount = 0 }: StatisticsScopeBarProps) {
  const isBar = useMediaQuery('(min-width: 48rem)')
  const groups = useKeywordGroupChoices()
  const texts = useStatisticsScopeTexts(search)
  const lists = SCOPE_LIST_FILTER_NAMES.filter(
    (name) => name !== 'keyword_group__in' || groups.length > 0 || search[name] !== undefined,
  )
  const renderList = (name: ScopeListFilterName) => {
    const label = SCOPE_LIST_FILTER_LABELS[name]
    const values = search[name]
    // Keyword groups exist only for our own projects; otherwise the switch would read "all projects" over our figures.
    const set = (next: readonly string[] | undefined) =>
      onChange(name === 'keyword_group__in' && next ? { [name]: next, scope: 'watch' } : { [name]: next })
    if (name === 'project_dept_sub__in') return <DepartmentField values={values} onChange={set} />
    if (name === 'project_province__in') return <ProvinceField label={label} values={values} onChange={set} />
    const choices = name === 'keyword_group__in' ? groups : CHOICES[name]
    return (
      <OptionList
        label={label}
        options={choices.map(({ code, th }) => ({ value: code, text: th }))}
        values={values}
        textOf={(value) => getStatisticsScopeValueLabel(name, value, groups)}
        onChange={set}
      />
    )
  }
  const fields = (
    <>
      <FiscalYearRangeFields
        search={search}
        years={years}
        onChange={onChange}
        className={isBar ? undefined : 'flex!'}
      />
      {lists.map((name) =>
        isBar ? (
          <FilterMenu
            key={name}
            label={SCOPE_LIST_FILTER_LABELS[name]}
            chosen={texts.flatMap((part) => (part.name === name ? part.text : []))}
          >
            {() => renderList(name)}
          </FilterMenu>
        ) : (
          <div key={name}>
            <p className="mb-1 font-medium">{SCOPE_LIST_FILTER_LABELS[name]}</p>
            {renderList(name)}
          </div>
        ),
      )}
      {children}
    </>
  )
  return (
    <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
      <AllOrOwnProjectsSwitch
        universe={search.scope === 'watch' || search.keyword_group__in ? 'watch' : 'all'}
        onChange={(next) =>
          onChange(next === 'watch' ? { scope: next } : { scope: undefined, keyword_group__in: undefined })
        }
        className={isBar ? undefined : 'flex-1'}
      />
      {isBar ? fields : <ScopeSheet count={countFieldsInUse(search) + otherCount}>{fields}</ScopeSheet>}
    </section>
  )
}

const countFieldsInUse = ({ scope: _scope, year_from, year_to, ...lists }: StatisticsScopeSearch) =>
  Number(year_from !== undefined || year_to !== undefined) + Object.keys(lists).length

type DepartmentFieldProps = {
  values: readonly string[] | undefined
  onChange: (values: readonly string[] | undefined) => void
}

function DepartmentField({ values, onChange }: DepartmentFieldProps) {
  const [searchText, setSearchText] = useState('')
  const q = useDebouncedText(searchText.trim())
  const departments = useQuery(departmentsQuery(q === '' ? undefined : { q }))
  const chosen = values ?? []
  // One unit per name, because the scope filters by name only.
  const byName = new Map(departments.data?.results.map((entry) => [entry.word, entry]))
  const rows = [...byName.values()].filter(({ word }) => !chosen.includes(word))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">หน่วยงาน</legend>
      <OptionSearchField
        label="ค้นหาหน่วยงาน"
        placeholder="ค้นหาหน่วยงาน เช่น กรมทางหลวง"
        value={searchText}
        onChange={setSearchText}
      />
      <div aria-busy={departments.isFetching} className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {chosen.map((name) => (
          <Checkbox key={name} checked onChange={() => onChange(setListValues(values, [name], false))}>
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
                onChange={() => onChange(setListValues(values, [entry.word], true))}
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

function noteOf({ unit, department, same_name }: DepartmentUnit): string {
  if (unit === '') return 'ทั้งหน่วยงาน'
  return same_name > 1 ? `ชื่อนี้มีใน ${same_name} หน่วยงาน` : department
}
