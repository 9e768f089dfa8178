import type { BidderDataCoverageCounts } from '#contract/market/figure-scope.ts'
import { formatGroupedCount } from '#src/lib/figure-text.ts'
import { Badge } from '#src/ui/badge.tsx'

export function FigureCoverageBadge({ coverage }: { coverage: BidderDataCoverageCounts }) {
  const { full, names, winner } = coverage
  const n = full + names + winner
  const knownCount = full + names
  if (n === 0) return <Badge>ไม่มีโครงการ</Badge>
  const isFull = full === n
  const text =
    knownCount === 0
      ? `เฉพาะผู้ชนะ ${formatGroupedCount(n)}`
      : `รู้ผู้ยื่น ${formatGroupedCount(knownCount)}/${formatGroupedCount(n)}`
  return (
    <span title={getFigureCoverageLabel(coverage)}>
      <Badge tone={isFull ? 'new' : knownCount === 0 ? 'neutral' : 'updated'}>{text}</Badge>
    </span>
  )
}

export function getFigureCoverageLabel({ full, names, winner }: BidderDataCoverageCounts): string {
  return [
    full > 0 && `รู้รายชื่อและราคาครบ ${formatGroupedCount(full)} โครงการ`,
    names > 0 && `รู้รายชื่อแต่ราคาไม่ครบ ${formatGroupedCount(names)} โครงการ`,
    winner > 0 && `รู้เฉพาะผู้ชนะ ${formatGroupedCount(winner)} โครงการ`,
  ]
    .filter(Boolean)
    .join(', ')
}
