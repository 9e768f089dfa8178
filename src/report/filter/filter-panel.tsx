import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import type { ReportParam } from '#contract/report/report-param-kinds.ts'
import {
  findReportParam,
  hasCountedOptions,
  isReportParamOfKind,
  REPORT_CONFIDENTIAL_PARAMS,
  REPORT_PARAMS,
  type ReportFilterName,
  type ReportParamName,
  type ReportParamNameOf,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { queryClient } from '#src/api/http/query-client.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'
import { readStoredJson, writeStoredJson } from '#src/lib/web-storage.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { RegionTree } from '#src/ui/project/region-tree.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { AgencyFilter } from './agency-filter.tsx'
import { ContractEndFilter } from './contract-end-filter.tsx'
import { DateFilter } from './date-filter.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { type CountedListParamName, ListFilter } from './list-filter.tsx'
import { MoneyFilter } from './money-filter.tsx'
import { useListFilter } from './use-list-filter.tsx'

type FilterPanelSection = {
  readonly id: string
  readonly title: string
  readonly names: readonly ReportFilterName[]
  readonly isPrimary: boolean
  /** True if all its filters read private data of the organisation, which the demo does not have. */
  readonly isConfidential: boolean
}

const SHARED_SECTION_TITLES: Readonly<Record<string, string>> = { marks: 'ดาวและป้ายกำกับ', pursuit: 'งานของทีม' }

const params: readonly ReportParam[] = REPORT_PARAMS
const inPanel = params
  .flatMap(({ panel, ...param }) => (panel ? [{ ...param, panel }] : []))
  .sort((a, b) => a.panel.order - b.panel.order)

const FILTER_PANEL_SECTIONS: readonly FilterPanelSection[] = Array.from(
  Map.groupBy(inPanel, ({ name, panel }) => panel.section ?? name),
  ([id, filters]): FilterPanelSection => {
    const [{ th, panel }] = filters as [(typeof inPanel)[number]]
    return {
      id,
      title: SHARED_SECTION_TITLES[id] ?? panel.title ?? th,
      names: filters.map(({ name }) => name as ReportFilterName),
      isPrimary: panel.isPrimary ?? false,
      isConfidential: filters.every(({ name }) => REPORT_CONFIDENTIAL_PARAMS.some((param) => param === name)),
    }
  },
)

type SectionNames = Pick<FilterPanelSection, 'names'>

const countActiveFilters = ({ names }: SectionNames, search: ReportSearch): number =>
  names.filter((name) => search[name] !== undefined).length

function countActiveFilterValues({ names }: SectionNames, search: ReportSearch): number {
  return names.reduce((sum, name) => {
    const value = search[name]
    if (value === undefined) return sum
    // The address abbreviates the provinces of a whole region, which the user ticked as one.
    return (
      sum +
      (typeof value === 'object' && 'negated' in value
        ? (findReportParam(name).groups?.close(value.values) ?? value.values).length
        : 1)
    )
  }, 0)
}

const STORAGE_KEY = 'tamngan.report.filters'
const MORE = 'more'

function readOpenSections(): readonly string[] {
  const storedIds = readStoredJson(STORAGE_KEY)
  return Array.isArray(storedIds) ? storedIds.filter((id) => typeof id === 'string') : []
}

type FlagFilterProps = { name: ReportParamNameOf<'flag'>; context: FilterContext }

function FlagFilter({ name, context: { search, change, facets } }: FlagFilterProps) {
  const { th, panel } = findReportParam(name)
  // A flag without projects is missing among the options; one that is never counted has no options at all.
  const options = hasCountedOptions(name) ? facets?.options[name] : undefined
  const count = options?.find(({ value }) => value === 'true')?.count ?? 0
  return (
    <>
      <Checkbox
        className="mt-1"
        checked={search[name] === true}
        onChange={(on) => change({ [name]: on ? true : undefined })}
        trailing={options ? formatCount(count) : ''}
      >
        {panel?.text ?? th}
      </Checkbox>
      {panel?.hint && <p className="mt-1 text-xs text-ink-muted">{panel.hint}</p>}
    </>
  )
}

export function FilterPanel({ context }: { context: FilterContext }) {
  const [openIds, setOpenIds] = useState(readOpenSections)
  const openProps = (id: string) => ({
    open: openIds.includes(id),
    onOpenChange: (isOpen: boolean) => {
      const newIds = [...openIds.filter((openId) => openId !== id), ...(isOpen ? [id] : [])]
      setOpenIds(newIds)
      writeStoredJson(STORAGE_KEY, newIds)
    },
  })
  const sections = isDemoSession()
    ? FILTER_PANEL_SECTIONS.filter(({ isConfidential }) => !isConfidential)
    : FILTER_PANEL_SECTIONS
  const filtersOf = (section: FilterPanelSection) =>
    section.names.map((name) => <Filter key={name} name={name} context={context} />)
  const badgeOf = (section: FilterPanelSection) => {
    const chosen = countActiveFilterValues(section, context.search)
    return chosen > 0 && <CountBadge count={chosen} label="ค่าที่เลือก" />
  }
  const more = sections.filter(({ isPrimary }) => !isPrimary)
  const active = more.reduce((sum, section) => sum + countActiveFilters(section, context.search), 0)
  return (
    <>
      {sections
        .filter(({ isPrimary }) => isPrimary)
        .map((section) => (
          <section key={section.id} className="border-b border-line py-2.5">
            <h3 className="flex items-center gap-2 pb-1.5 font-semibold">
              <span className="min-w-0 flex-1">{section.title}</span>
              {badgeOf(section)}
            </h3>
            {filtersOf(section)}
          </section>
        ))}
      <Collapsible
        title="ตัวกรองเพิ่มเติม"
        badge={
          active > 0 ? (
            <CountBadge count={active} label="ตัวกรองที่ใช้อยู่ในกลุ่มนี้" />
          ) : (
            <span className="text-xs font-normal text-ink-faint tabular-nums">{more.length}</span>
          )
        }
        {...openProps(MORE)}
      >
        {more.map((section) => (
          <Collapsible key={section.id} title={section.title} badge={badgeOf(section)} {...openProps(section.id)}>
            {filtersOf(section)}
          </Collapsible>
        ))}
      </Collapsible>
    </>
  )
}

type FilterProps = { readonly name: ReportParamName; readonly context: FilterContext }

/**
 * Serialises those inputs of a filter that are new objects on every render: its value, the bounds of its scales, and the
 * search if it counts its values itself.
 */
const valuesOf = ({ name, context: { search, ceilings, window } }: FilterProps) =>
  JSON.stringify([
    search[name],
    name === 'ends_within' && [search.project_bidding__in, search.ordering],
    findReportParam(name).hasManyValues && pickReportFilters(search),
    ceilings,
    window,
  ])

/** Compares props for `memo`: when one filter changes, the other 19 skip rendering, so that the rows render first. */
const rendersSame = (before: FilterProps, next: FilterProps) =>
  before.name === next.name &&
  (['change', 'facets', 'labels', 'areas', 'today'] as const).every(
    (key) => before.context[key] === next.context[key],
  ) &&
  valuesOf(before) === valuesOf(next)

const Filter = memo(function Filter({ name, context }: FilterProps) {
  if (isReportParamOfKind(name, 'money')) return <MoneyFilter name={name} context={context} />
  if (isReportParamOfKind(name, 'dates')) return <DateFilter name={name} context={context} />
  if (isReportParamOfKind(name, 'count')) return <ContractEndFilter context={context} />
  if (isReportParamOfKind(name, 'flag')) return <FlagFilter name={name} context={context} />
  if (!isReportParamOfKind(name, 'list')) return null
  if (!hasCountedOptions(name)) return <AgencyFilter context={context} />
  const { groups, owner } = findReportParam(name)
  if (groups) return <ProvinceFilter name={name} context={context} />
  if (name === 'project_eligibility__in') return <EligibilityFilter context={context} />
  if (owner === 'team') return <TeamFilter name={name} context={context} />
  return <ListFilter name={name} context={context} />
}, rendersSame)

function ProvinceFilter({ name, context }: { name: CountedListParamName; context: FilterContext }) {
  const { facets, areas } = context
  const { selected, toggle, negationSwitch } = useListFilter(name, context)
  const { th: title, panel } = findReportParam(name)
  const counts = new Map(facets?.options[name]?.map(({ value, count }) => [value, count]))
  const countOf = (provinces: readonly string[]) =>
    provinces.reduce((sum, province) => sum + (counts.get(province) ?? 0), 0)
  return (
    <FilterFieldset title={title}>
      <RegionTree
        title={title}
        areas={areas}
        selected={new Set(selected)}
        onPick={toggle}
        trailing={(provinces) => (facets ? formatCount(countOf(provinces)) : '')}
        shortList={panel?.shortList}
        rank={countOf}
      />
      {negationSwitch}
    </FilterFieldset>
  )
}

/** Links to the qualifications while they are empty, because most projects then have no verdict. */
function EligibilityFilter({ context }: { context: FilterContext }) {
  const { data: bidder } = useQuery(qualificationsQuery, queryClient)
  return (
    <>
      <ListFilter name="project_eligibility__in" context={context} />
      {bidder?.bidder_kind === null && (
        <p className="mt-1 text-xs text-ink-muted">
          ตอบหกข้อเรื่องบริษัทก่อน ระบบจึงตัดสินได้ <QualificationSettingsLink />
        </p>
      )}
    </>
  )
}

function TeamFilter({ name, context }: { name: CountedListParamName; context: FilterContext }) {
  const team = usePursuitSettings(true)
  if (team.data) return <ListFilter name={name} context={context} team={team.data} />
  if (!team.error)
    return (
      <SkeletonGroup label="กำลังโหลดรายชื่อของทีม" className="flex flex-col gap-2" bars={['h-6', 'h-6', 'h-6 w-2/3']} />
    )
  return <InlineQueryError query={team} title="โหลดรายชื่อของทีมไม่สำเร็จ" />
}
