import { useQuery } from '@tanstack/react-query'
import { formatLawClause } from '#contract/catalogue/procurement-rules.ts'
import { formatEligibility, judgeEligibility } from '#contract/report/eligibility.ts'
import type { EligibilityVerdict } from '#contract/report/eligibility-verdict.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { EligibilityChecks } from './eligibility-mark.tsx'

const VERDICT_TONES: Readonly<Record<EligibilityVerdict, BadgeTone>> = {
  eligible: 'new',
  blocked: 'urgent',
  unknown: 'neutral',
}

export function EligibilityCard({ row }: { row: ReportRow }) {
  const qualifications = useQuery(qualificationsQuery)
  const today = useBangkokToday()
  return (
    <Card as="section" aria-label="ยื่นได้ไหม" className="px-5 pt-4 pb-3">
      <QueryView query={qualifications} task="โหลดคุณสมบัติของบริษัท" barsClassName="space-y-2" bars={['h-5', 'h-4', 'h-4']}>
        {(bidder) => {
          const eligibility = judgeEligibility(row, bidder, today)
          return (
            <>
              <div className="flex items-center gap-2">
                <h2 className="text-md font-semibold">ยื่นได้ไหม</h2>
                <Badge tone={VERDICT_TONES[eligibility.verdict]}>{formatEligibility(eligibility)}</Badge>
              </div>
              <div className="mt-2">
                <EligibilityChecks checks={eligibility.checks} />
              </div>
              {eligibility.notes.length > 0 && (
                <ul className="mt-3 space-y-1 border-t border-line pt-2 text-sm text-ink-muted">
                  {eligibility.notes.map(({ text, source }) => (
                    <li key={text}>
                      {text} <span className="text-xs text-ink-faint">{formatLawClause(source)}</span>
                    </li>
                  ))}
                </ul>
              )}
              <p className="mt-2 text-xs text-ink-faint">
                คิดจากประกาศและคุณสมบัติที่กรอกไว้ ไม่ใช่คำแนะนำทางกฎหมาย เอกสารของโครงการอาจกำหนดมากกว่านี้
              </p>
            </>
          )
        }}
      </QueryView>
    </Card>
  )
}
