import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportPage } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import type { ChangeReport, ReportPatch } from '#src/lib/report-change.ts'
import { thaiInstant, thaiWeekday } from '#src/lib/thai-day.ts'
import { watchAddress } from './watch-address.ts'

type Counter = {
  readonly count: Exclude<keyof ReportPage['counts'], 'since_visit'>
  readonly th: string
  /** The filter that shows exactly the projects counted. */
  readonly filter: ReportPatch
  readonly dot: string
}

const WITHIN_7_DAYS = { from: '@0', to: '@7' }
const COUNTERS: readonly Counter[] = [
  {
    count: 'new',
    th: 'ใหม่',
    filter: { project_change_status__in: { values: ['new'], negated: false } },
    dot: 'bg-new',
  },
  {
    count: 'updated',
    th: 'อัปเดต',
    filter: { project_change_status__in: { values: ['updated'], negated: false } },
    dot: 'bg-updated',
  },
  {
    count: 'discussion_7d',
    th: 'วิจารณ์ร่าง ≤ 7 วัน',
    filter: { draft_discussion_end_date__range: WITHIN_7_DAYS },
    dot: 'bg-accent-ink',
  },
  {
    count: 'submission_7d',
    th: 'ยื่นข้อเสนอ ≤ 7 วัน',
    filter: { submission_end_date__range: WITHIN_7_DAYS },
    dot: 'bg-urgent',
  },
]

const isOn = (filter: ReportPatch, search: ReportSearch) =>
  Object.entries(filter).every(
    ([name, value]) => JSON.stringify(search[name as keyof ReportSearch]) === JSON.stringify(value),
  )

const SINCE_VISIT: ReportPatch = { project_since_visit: true }

type ReportCountersProps = {
  page: Pick<ReportPage, 'counts' | 'previous_visit_at'>
  search: ReportSearch
  change: ChangeReport
  /** Stands before them. */
  children?: ReactNode
}

/** What the morning asks first, as filters of one press; pressing again takes the filter away. */
export function ReportCounters({ page, search, change, children }: ReportCountersProps) {
  const { counts, previous_visit_at: visit } = page
  return (
    <ul
      aria-label="ตัวกรองด่วน"
      className="relative flex min-w-0 gap-2 max-md:-mr-4 max-md:flex-1 max-md:overflow-x-auto max-md:pr-4 max-md:[scrollbar-width:none] md:flex-wrap"
    >
      {children && <li className="min-w-36 shrink-0">{children}</li>}
      {COUNTERS.map(({ count, th, filter, dot }) => (
        <Toggle key={count} filter={filter} count={counts[count]} search={search} change={change}>
          <span aria-hidden className={classNames('size-1.5 rounded-full lg:max-xl:hidden', dot)} />
          {th}
        </Toggle>
      ))}
      {visit !== null && counts.since_visit !== null && (
        <Toggle filter={SINCE_VISIT} count={counts.since_visit} search={search} change={change}>
          <span title={`ครั้งก่อนดูถึง ${thaiInstant(visit)}`}>
            ตั้งแต่ครั้งก่อน <span className="text-ink-faint">({thaiWeekday(visit)})</span>
          </span>
        </Toggle>
      )}
      {counts.hidden > 0 && (
        <li title="โครงการที่คำไม่รวมกันไว้ในการโหลดล่าสุด" className="shrink-0">
          <HiddenByWords>
            <span>
              ซ่อน<span className="max-xl:sr-only">โดยคำไม่รวม</span>
            </span>
            <span className="tabular-nums">{countText(counts.hidden)}</span>
          </HiddenByWords>
        </li>
      )}
    </ul>
  )
}

type ToggleProps = Omit<ReportCountersProps, 'page' | 'children'> & {
  filter: ReportPatch
  count: number
  children: ReactNode
}

/** A filter that one press sets and the next takes away, with how many it shows. */
function Toggle({ filter, count, search, change, children }: ToggleProps) {
  const on = isOn(filter, search)
  const without = Object.fromEntries(Object.keys(filter).map((name) => [name, undefined]))
  return (
    <li className="shrink-0">
      <button
        type="button"
        aria-pressed={on}
        onClick={() => change(on ? without : filter)}
        className={classNames(
          'inline-flex h-8 items-center gap-2 rounded-full border px-3 whitespace-nowrap transition-colors touch:h-11',
          on
            ? 'border-accent-ink bg-accent-soft text-accent-ink'
            : 'border-line bg-surface text-ink-muted hover:border-line-strong hover:text-ink',
        )}
      >
        {children}
        <span className="font-semibold text-ink tabular-nums">{countText(count)}</span>
      </button>
    </li>
  )
}

/** To the ledger of what the exclusion words keep out. */
function HiddenByWords({ children }: { children: ReactNode }) {
  const className = 'inline-flex h-8 items-center gap-1.5 px-1 whitespace-nowrap text-ink-faint touch:h-11'
  return (
    <Link
      {...watchAddress({ tab: 'hidden' })}
      className={classNames(className, 'rounded-control hover:text-ink hover:underline')}
    >
      {children}
    </Link>
  )
}
