import type { DataSourceStatus } from '#contract/operation/sources.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import {
  getNightlyRunOutcomeLabel,
  getNightlyRunStatus,
  listRecentNightlyRuns,
  type NightlyRunStatus,
} from './data-source-condition.ts'

const HATCH = 'bg-[repeating-linear-gradient(135deg,var(--line)_0_3px,var(--surface-muted)_3px_6px)]'

const FILLS: Readonly<Record<NightlyRunStatus, string>> = {
  full: 'bg-accent',
  partial: 'bg-updated',
  failed: 'bg-urgent-solid',
  'under-way': 'animate-pulse bg-accent-line',
  none: HATCH,
}

const LEGEND = [
  ['full', 'ครบตามรอบ'],
  ['partial', 'มาไม่ครบ'],
  ['failed', 'ดึงไม่ได้'],
  ['under-way', 'กำลังดึง'],
  ['none', 'ไม่มีรอบ'],
] as const satisfies readonly (readonly [NightlyRunStatus, string])[]

export function NightlyRunStrip({ source, today }: { source: DataSourceStatus; today: string }) {
  const days = listRecentNightlyRuns(source.rounds, today)
  const countsByMark = LEGEND.map(
    ([mark, word]) => [word, days.filter(({ round }) => getNightlyRunStatus(round) === mark).length] as const,
  )
  const summary = countsByMark.filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count} วัน`)
  return (
    <div className="min-w-0">
      <div role="img" aria-label={`14 วันของ ${source.label}: ${summary.join(' ')}`} className="flex h-7 gap-1">
        {days.map(({ day, round }) => (
          <span
            key={day}
            title={`${formatThaiDateShort(day)} ${getNightlyRunOutcomeLabel(round)}`}
            className={classNames('min-w-1.5 flex-1 rounded-[3px]', FILLS[getNightlyRunStatus(round)])}
          />
        ))}
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-ink-muted">
        <span>{days.length - 1} วันก่อน</span>
        <span>วันนี้</span>
      </p>
    </div>
  )
}

export function NightlyRunStripLegend() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-muted">
      แถบ 14 วัน
      {LEGEND.map(([mark, word]) => (
        <span key={mark} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={classNames('size-3 rounded-[3px]', FILLS[mark])} />
          {word}
        </span>
      ))}
    </p>
  )
}
