import { NO_KEY, type ResultReason } from '#contract/team/results.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Card } from '#src/ui/card.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'

type ReasonsCardProps = {
  title: string
  none: string
  reasons: readonly ResultReason[]
  onOpen: (key: string) => void
}

const SHOWN = 8
const ON_PAPER = 5

export function ReasonsCard({ title, none, reasons, onOpen }: ReasonsCardProps) {
  const n = reasons.reduce((sum, reason) => sum + reason.n, 0)
  const shown = reasons.slice(0, SHOWN)
  const rows = shown.map((reason) => ({
    ...{ key: reason.key, value: reason.n, text: `${countText(reason.n)} งาน` },
    label: reason.key === NO_KEY ? 'ไม่ได้ระบุ' : reason.key,
    onOpen: () => onOpen(reason.key),
  }))
  return (
    <Card as="section" aria-label={title} className="px-2 py-3">
      <h2 className="px-2 font-semibold">
        {title} {n > 0 && <span className="text-sm font-normal text-ink-muted tabular-nums">n = {countText(n)}</span>}
      </h2>
      {rows.length === 0 ? (
        <p className="px-2 py-2 text-ink-muted">{none}</p>
      ) : (
        <div className={classNames('mt-2', rows.length > ON_PAPER && 'print:[&_li:nth-child(n+6)]:hidden')}>
          <BarChart label={title} rows={rows} />
        </div>
      )}
      {reasons.length > SHOWN && (
        <p className="px-2 pt-1 text-xs text-ink-muted">อีก {countText(reasons.length - SHOWN)} เหตุผลอยู่ในไฟล์ Excel</p>
      )}
    </Card>
  )
}
