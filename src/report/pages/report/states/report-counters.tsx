import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { DUE_TEXTS, type DueKind } from '#contract/catalogue/bid-state.ts'
import type { ReportFacets, ReportPage } from '#contract/report/report.ts'
import { activeReportFilters, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { countText } from '#src/lib/money-text.ts'
import type { ChangeReport, ReportPatch } from '#src/lib/report-change.ts'
import { thaiInstant, thaiWeekday } from '#src/lib/thai-day.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { whenPressed } from '#src/ui/when-pressed.ts'
import { watchAddress } from './watch-address.ts'

type Counter = {
  readonly count: Exclude<keyof ReportPage['counts'], 'since_visit'>
  readonly th: string
  /** The whole of it, where the chip is short. */
  readonly hint?: string
  /** How many projects pass it beside the other filters; undefined when that was not counted. */
  readonly within: (facets: ReportFacets, search: ReportSearch) => number | undefined
  /** The filter that shows exactly the projects counted. */
  readonly filter: ReportPatch
  /** What pressing it again takes away; the segment stays. */
  readonly name: ReportParamName
  readonly dot: string
}

const isOn = (filter: ReportPatch, search: ReportSearch) =>
  Object.entries(filter).every(
    ([name, value]) => JSON.stringify(search[name as keyof ReportSearch]) === JSON.stringify(value),
  )

const WITHIN_7_DAYS = { from: '@0', to: '@7' }
const only = (value: string) => ({ values: [value], negated: false })

const ofChange = (value: 'new' | 'updated') => ({
  count: value,
  name: 'project_change_status__in' as const,
  filter: { project_change_status__in: only(value) },
  within: ({ options }: ReportFacets) =>
    options.project_change_status__in?.find((option) => option.value === value)?.count ?? 0,
  dot: value === 'new' ? 'bg-new' : 'bg-updated',
})

/** A near deadline: its date within the segment in which it is one (`dueKindOf`). */
const ofDue = (kind: DueKind, name: DueDate, segment: 'open' | 'upcoming') => {
  const filter = { project_bidding__in: only(segment), [name]: WITHIN_7_DAYS }
  return {
    th: DUE_TEXTS[kind],
    name,
    filter,
    // Facets lack projects that fail two filters, here both the segment and another range of this date.
    within: ({ due }: ReportFacets, search: ReportSearch) =>
      search[name] && !isOn({ [name]: WITHIN_7_DAYS }, search) ? undefined : due?.[kind],
  }
}
type DueDate = 'submission_end_date__range' | 'draft_discussion_end_date__range'

const COUNTERS: readonly Counter[] = [
  { ...ofChange('new'), th: 'ใหม่' },
  { ...ofChange('updated'), th: 'อัปเดต' },
  {
    ...ofDue('closing', 'submission_end_date__range', 'open'),
    count: 'submission_7d',
    hint: 'เปิดรับข้อเสนอและปิดภายใน 7 วัน',
    dot: 'bg-urgent',
  },
  {
    ...ofDue('comment', 'draft_discussion_end_date__range', 'upcoming'),
    count: 'discussion_7d',
    hint: 'วิจารณ์ร่างภายใน 7 วัน',
    dot: 'bg-accent-ink',
  },
]

const SINCE_VISIT: ReportPatch = { project_since_visit: true }

// Only where the line is too short for all of them.
const FoldedCounters = lazyComponent(() => import('./folded-counters.tsx'), 'FoldedCounters')

/** One chip: a filter that one press sets and the next takes away. */
export type QuickFilter = {
  readonly key: string
  readonly th: string
  readonly hint: string | undefined
  readonly dot: string | undefined
  readonly isOn: boolean
  /** Projects that it shows beside the other filters; undefined until they are counted. */
  readonly count: number | undefined
  readonly press: () => void
  /** Asks for its rows, while it is being pressed. */
  readonly ask: () => void
}

export type ReportCountersProps = {
  page: Pick<ReportPage, 'counts' | 'previous_visit_at'>
  /** Counts with the filters in force; undefined until they have come. */
  facets: ReportFacets | undefined
  search: ReportSearch
  change: ChangeReport
  /** Stands before them. */
  children?: ReactNode
}

function quickFilters({ page, facets, search, change }: ReportCountersProps): QuickFilter[] {
  const { counts, previous_visit_at: visit } = page
  const isFiltered = activeReportFilters(search).length > 0
  const filters: (Omit<QuickFilter, 'isOn' | 'press' | 'ask'> & Pick<Counter, 'filter' | 'name'>)[] = COUNTERS.map(
    (counter) => ({
      key: counter.count,
      th: counter.th,
      hint: counter.hint,
      dot: counter.dot,
      filter: counter.filter,
      name: counter.name,
      count: isFiltered ? facets && counter.within(facets, search) : counts[counter.count],
    }),
  )
  if (visit !== null && counts.since_visit !== null) {
    filters.push({
      key: 'since_visit',
      th: `ตั้งแต่ครั้งก่อน (${thaiWeekday(visit)})`,
      hint: `ครั้งก่อนดูถึง ${thaiInstant(visit)}`,
      dot: undefined,
      filter: SINCE_VISIT,
      name: 'project_since_visit',
      count: counts.since_visit,
    })
  }
  return filters.map(({ filter, name, ...chip }) => {
    const on = isOn(filter, search)
    const next = on ? { [name]: undefined } : filter
    return { ...chip, isOn: on, press: () => change(next), ask: () => change(next, 'ask') }
  })
}

/** What the morning asks first, as filters of one press that count within the filters in force. What the line has no room for folds into a menu. */
export function ReportCounters(props: ReportCountersProps) {
  const list = useRef<HTMLUListElement>(null)
  const filters = quickFilters(props)
  const folded = useFolded(list, filters.length)
  return (
    <div className="flex items-center gap-1 max-md:min-w-0 max-md:shrink-0 md:min-w-60 md:flex-1">
      <ul
        ref={list}
        aria-label="ตัวกรองด่วน"
        className="relative flex min-w-0 gap-2 md:flex-1 md:overflow-hidden md:p-0.5"
      >
        {props.children && <li className="min-w-24 shrink-0">{props.children}</li>}
        {filters.map(({ key, ...filter }) => (
          <li key={key} data-fold={key} className={classNames('shrink-0', folded.has(key) && 'invisible')}>
            <Chip {...filter} />
          </li>
        ))}
      </ul>
      {folded.size > 0 && (
        <LazyBoundary>
          <FoldedCounters filters={filters.filter(({ key }) => folded.has(key))} />
        </LazyBoundary>
      )}
    </div>
  )
}

function Chip({ th, hint, dot, isOn: on, count, press, ask }: Omit<QuickFilter, 'key'>) {
  return (
    <button
      type="button"
      aria-pressed={on}
      title={hint}
      onPointerDown={whenPressed(ask)}
      onClick={press}
      className={classNames(
        'inline-flex h-8 items-center gap-2 rounded-full border px-3 whitespace-nowrap transition-colors touch:h-11',
        on
          ? 'border-accent-ink bg-accent-soft text-accent-ink'
          : 'border-line bg-surface text-ink-muted hover:border-line-strong hover:text-ink',
      )}
    >
      {dot && <span aria-hidden className={classNames('size-1.5 rounded-full', dot)} />}
      {th}
      {count !== undefined && <span className="font-semibold text-ink tabular-nums">{countText(count)}</span>}
    </button>
  )
}

/** Keys of the chips that the list has no room for. They keep their place unseen, so that they are back when there is room. */
function useFolded(list: RefObject<HTMLUListElement | null>, count: number): ReadonlySet<string> {
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set())
  useEffect(() => {
    if (!list.current || count === 0 || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) =>
        setFolded((now) => {
          const next = new Set(now)
          for (const { target, intersectionRatio } of entries) {
            const key = (target as HTMLElement).dataset.fold!
            if (intersectionRatio < 0.98) next.add(key)
            else next.delete(key)
          }
          return next.size === now.size && [...next].every((key) => now.has(key)) ? now : next
        }),
      { root: list.current, threshold: [0.98] },
    )
    // A phone's list is as long as it is; the line around it scrolls.
    for (const item of list.current.querySelectorAll('[data-fold]')) observer.observe(item)
    return () => observer.disconnect()
  }, [list, count])
  return folded
}

/** To the ledger of what the exclusion words keep out; nothing while they keep nothing out. */
export function HiddenByWords({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Link
      {...watchAddress({ tab: 'hidden' })}
      title="โครงการที่คำไม่รวมกันไว้ในการโหลดล่าสุด"
      className="inline-flex h-8 items-center gap-1.5 rounded-control whitespace-nowrap text-ink-muted hover:text-ink hover:underline touch:h-11"
    >
      ซ่อนโดยคำไม่รวม <span className="tabular-nums">{countText(count)}</span>
    </Link>
  )
}
