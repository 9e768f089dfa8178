import type { BidderDataCoverageCounts } from '#contract/market/statistics-scope.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Badge } from '#src/ui/badge.tsx'

export function StatisticsCoverageBadge({ coverage }: { coverage: BidderDataCoverageCounts }) {
  const { full, names, winner } = coverage
  const knownCount = full + names
  const n = knownCount + winner
  if (n === 0) return <Badge>ไม่มีโครงการ</Badge>
  const text = knownCount === 0 ? `เฉพาะผู้ชนะ ${formatCount(n)}` : `รู้ผู้ยื่น ${formatCount(knownCount)}/${formatCount(n)}`
  return (
    <span title={getStatisticsCoverageLabel(coverage)}>
      <Badge tone={full === n ? 'new' : knownCount === 0 ? 'neutral' : 'updated'}>{text}</Badge>
    </span>
  )
}

export function getStatisticsCoverageLabel({ full, names, winner }: BidderDataCoverageCounts): string {
  return [
    full > 0 && `รู้รายชื่อและราคาครบ ${formatCount(full)} โครงการ`,
    names > 0 && `รู้รายชื่อแต่ราคาไม่ครบ ${formatCount(names)} โครงการ`,
    winner > 0 && `รู้เฉพาะผู้ชนะ ${formatCount(winner)} โครงการ`,
  ]
    .filter(Boolean)
    .join(', ')
}
