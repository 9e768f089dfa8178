import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { NEAR_DEADLINE_LABELS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { ReportFacets, ReportPageResponse } from '#contract/report/report.ts'
import { getActiveReportFilters, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReportSearchFn, ReportSearchPatch } from '#src/lib/report-change.ts'
import { formatThaiDateTime, formatThaiWeekdayAndDate } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'

type Counter = {
  readonly count: Exclude<keyof ReportPageResponse['counts'], 'since_visit'>
  readonly th: string
  readonly hint?: string
  readonly countInFacets: (facets: ReportFacets, search: ReportSearch) => number | undefined
  readonly filter: ReportSearchPatch
  /** Parameter that a second click clears; the segment remains. */
  readonly name: ReportParamName
  readonly dot: string
}

const matchesSearch = (filter: ReportSearchPatch, search: ReportSearch) =>
  Object.entries(filter).every(
    ([name, value]) => JSON.stringify(search[name as keyof ReportSearch]) === JSON.stringify(value),
  )

const WITHIN_7_DAYS = { from: '@0', to: '@7' }
const toListFilter = (value: string) => ({ values: [value], negated: false })

const buildChangeStatusCounter = (value: 'new' | 'updated') => ({
  count: value,
  name: 'project_change_status__in' as const,
  filter: { project_change_status__in: toListFilter(value) },
  countInFacets: ({ options }: ReportFacets) =>
    options.project_change_status__in?.find((option) => option.value === value)?.count ?? 0,
  dot: value === 'new' ? 'bg-new' : 'bg-updated',
})

/** Counts only within the segment where that deadline applies (`getNearDeadlineKind`). */
const buildNearDeadlineCounter = (kind: NearDeadlineKind, name: DueDate, segment: 'open' | 'upcoming') => {
  const filter = { project_bidding__in: toListFilter(segment), [name]: WITHIN_7_DAYS }
  return {
    th: NEAR_DEADLINE_LABELS[kind],
    name,
    filter,
    // Facets exclude projects that fail two filters, here segment and date, so they cannot supply a count.
    countInFacets: ({ due }: ReportFacets, search: ReportSearch) =>
      search[name] && !matchesSearch({ [name]: WITHIN_7_DAYS }, search) ? undefined : due?.[kind],
  }
}
type DueDate = 'submission_end_date__range' | 'draft_discussion_end_date__range'

const COUNTERS: readonly Counter[] = [
  { ...buildChangeStatusCounter('new'), th: 'ใหม่' },
  { ...buildChangeStatusCounter('updated'), th: 'อัปเดต' },
  {
    ...buildNearDeadlineCounter('closing', 'submission_end_date__range', 'open'),
    count: 'submission_7d',
    hint: 'เปิดรับข้อเสนอและปิดภายใน 7 วัน',
    dot: 'bg-urgent',
  },
  {
    ...buildNearDeadlineCounter('comment', 'draft_discussion_end_date__range', 'upcoming'),
    count: 'discussion_7d',
    hint: 'วิจารณ์ร่างภายใน 7 วัน',
    dot: 'bg-accent-ink',
  },
]

export type ReportCountersProps = {
  page: Pick<ReportPageResponse, 'counts' | 'previous_visit_at'>
  facets: ReportFacets | undefined
  search: ReportSearch
  change: ChangeReportSearchFn
  children?: ReactNode
}

type QuickFilterFacts = Pick<Counter, 'th' | 'hint' | 'filter' | 'name'> & {
  readonly key: string
  readonly dot?: string
  readonly count: number | undefined
}

function quickFilters({ page, facets, search, change }: ReportCountersProps) {
  const { counts, previous_visit_at: visit } = page
  const isFiltered = getActiveReportFilters(search).length > 0
  const filters = COUNTERS.map(
    ({ count, countInFacets, ...counter }): QuickFilterFacts => ({
      ...counter,
      key: count,
      count: isFiltered ? facets && countInFacets(facets, search) : counts[count],
    }),
  )
  if (visit !== null && counts.since_visit !== null) {
    filters.push({
      key: 'since_visit',
      th: `ตั้งแต่ครั้งก่อน (${formatThaiWeekdayAndDate(visit)})`,
      hint: `ครั้งก่อนดูถึง ${formatThaiDateTime(visit)}`,
      filter: { project_since_visit: true },
      name: 'project_since_visit',
      count: counts.since_visit,
    })
  }
  return filters.map(({ filter, name, ...chip }) => {
    const isOn = matchesSearch(filter, search)
    return { ...chip, isOn, press: () => change(isOn ? { [name]: undefined } : filter) }
  })
}

export function ReportCounters(props: ReportCountersProps) {
  const list = useRef<HTMLUListElement>(null)
  const filters = quickFilters(props)
  const folded = useOverflowingChips(list, filters.length)
  return (
    <div className="flex items-center gap-1 max-md:min-w-0 max-md:shrink-0 md:min-w-60 md:flex-1">
      <ul
        ref={list}
        aria-label="ตัวกรองด่วน"
        className="relative flex min-w-0 gap-2 md:flex-1 md:overflow-hidden md:p-0.5"
      >
        {props.children && <li className="min-w-24 shrink-0">{props.children}</li>}
        {filters.map(({ key, th, hint, dot, isOn, count, press }) => (
          <li key={key} data-fold={key} className={classNames('shrink-0', folded.has(key) && 'invisible')}>
            <TogglePill isOn={isOn} title={hint} onClick={press}>
              {dot && <span aria-hidden className={classNames('size-1.5 rounded-full', dot)} />}
              {th}
              {count !== undefined && <span className="font-semibold text-ink tabular-nums">{formatCount(count)}</span>}
            </TogglePill>
          </li>
        ))}
      </ul>
      {folded.size > 0 && (
        <Menu
          label="ตัวกรองด่วนอื่น"
          trigger={(trigger) => (
            <Button {...trigger} size="sm" className="rounded-full!">
              อีก {folded.size}
            </Button>
          )}
        >
          {filters
            .filter(({ key }) => folded.has(key))
            .map(({ key, th, isOn, count, press }) => (
              <MenuItem key={key} checked={isOn} onSelect={press}>
                {th} {count !== undefined && <b className="font-semibold tabular-nums">{formatCount(count)}</b>}
              </MenuItem>
            ))}
        </Menu>
      )}
    </div>
  )
}

/** Chips that do not fit stay in the layout, hidden, so that the observer can show them again. */
function useOverflowingChips(list: RefObject<HTMLUListElement | null>, count: number): ReadonlySet<string> {
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set())
  useEffect(() => {
    if (!list.current || count === 0 || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) =>
        setFolded((current) => {
          const updated = new Set(current)
          for (const { target, intersectionRatio } of entries) {
            const key = (target as HTMLElement).dataset.fold!
            if (intersectionRatio < 0.98) updated.add(key)
            else updated.delete(key)
          }
          return updated.size === current.size && [...updated].every((key) => current.has(key)) ? current : updated
        }),
      { root: list.current, threshold: [0.98] },
    )
    for (const item of list.current.children) if (item.hasAttribute('data-fold')) observer.observe(item)
    return () => observer.disconnect()
  }, [list, count])
  return folded
}
