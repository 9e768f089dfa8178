import { type TeamResultReason, UNGROUPED_TEAM_RESULTS_KEY } from '#contract/team/team-results.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Card } from '#src/ui/card.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'

type ReasonsCardProps = {
  title: string
  emptyText: string
  reasons: readonly TeamResultReason[]
  onOpen: (key: string) => void
}

const MAX_VISIBLE_REASONS = 8
const MAX_PRINTED_REASONS = 5

export function TeamResultReasonsCard({ title, emptyText, reasons, onOpen }: ReasonsCardProps) {
  const n = reasons.reduce((sum, reason) => sum + reason.n, 0)
  const visibleReasons = reasons.slice(0, MAX_VISIBLE_REASONS)
  const rows = visibleReasons.map((reason) => ({
    ...{ key: reason.key, value: reason.n, text: `${formatCountWithSeparators(reason.n)} งาน` },
    label: reason.key === UNGROUPED_TEAM_RESULTS_KEY ? 'ไม่ได้ระบุ' : reason.key,
    onOpen: () => onOpen(reason.key),
  }))
  return (
    <Card as="section" aria-label={title} className="px-2 py-3">
      <h2 className="px-2 font-semibold">
        {title}{' '}
        {n > 0 && (
          <span className="text-sm font-normal text-ink-muted tabular-nums">n = {formatCountWithSeparators(n)}</span>
        )}
      </h2>
      {rows.length === 0 ? (
        <p className="px-2 py-2 text-ink-muted">{emptyText}</p>
      ) : (
        <div className={classNames('mt-2', rows.length > MAX_PRINTED_REASONS && 'print:[&_li:nth-child(n+6)]:hidden')}>
          <BarChart label={title} rows={rows} />
        </div>
      )}
      {reasons.length > MAX_VISIBLE_REASONS && (
        <p className="px-2 pt-1 text-xs text-ink-muted">
          อีก {formatCountWithSeparators(reasons.length - MAX_VISIBLE_REASONS)} เหตุผลอยู่ในไฟล์ Excel
        </p>
      )}
    </Card>
  )
}
