import { formatReportCard, isSuspendedOn } from '#contract/account/report-card.ts'
import { useReportCards } from '#src/account/api/report-cards.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Badge } from '#src/ui/badge.tsx'

export function ReportCardBadge({ taxId }: { taxId: string | null }) {
  const today = useBangkokToday()
  const card = useReportCards().get(taxId ?? '')
  if (!card) return null
  return <Badge tone={isSuspendedOn(card, today) ? 'urgent' : 'neutral'}>{formatReportCard(card, today)}</Badge>
}
