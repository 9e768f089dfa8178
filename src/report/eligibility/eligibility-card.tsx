import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { formatLawClause } from '#contract/catalogue/procurement-rules.ts'
import { type EligibilityCheck, formatEligibility, judgeEligibility } from '#contract/report/eligibility.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonBars, SkeletonGroup } from '#src/ui/skeleton.tsx'

const VERDICT_TONES: Readonly<Record<'eligible' | 'blocked' | 'unknown', BadgeTone>> = {
  eligible: 'new',
  blocked: 'urgent',
  unknown: 'neutral',
}

/** Whether the organisation may bid, from the announcement and its qualifications alone. */
export function EligibilityCard({ row }: { row: ReportRow }) {
  const qualifications = useQuery(qualificationsQuery)
  const today = useBangkokToday()
  return (
    <Card as="section" aria-label="ยื่นได้ไหม" className="px-5 pt-4 pb-3">
      <QueryView
        query={qualifications}
        errorTitle="โหลดคุณสมบัติของบริษัทไม่สำเร็จ"
        skeleton={
          <SkeletonGroup className="space-y-2">
            <SkeletonBars sizes={['h-5', 'h-4', 'h-4']} />
          </SkeletonGroup>
        }
      >
        {(bidder) => {
          const eligibility = judgeEligibility(row, bidder, today)
          return (
            <>
              <div className="flex items-center gap-2">
                <h2 className="text-md font-semibold">ยื่นได้ไหม</h2>
                <Badge tone={VERDICT_TONES[eligibility.verdict]}>{formatEligibility(eligibility)}</Badge>
              </div>
              <ul className="mt-2 space-y-2 text-sm">
                {eligibility.checks.map((check) => (
                  <CheckRow key={check.text} check={check} />
                ))}
              </ul>
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

const OUTCOMES = {
  met: { icon: CircleCheck, className: 'text-new', label: 'ผ่าน' },
  unmet: { icon: CircleX, className: 'text-urgent', label: 'ไม่ผ่าน' },
  unknown: { icon: CircleHelp, className: 'text-ink-faint', label: 'ยังไม่รู้' },
} as const

function CheckRow({ check: { outcome, text, source, fix, missing } }: { check: EligibilityCheck }) {
  const { icon: Icon, className, label } = OUTCOMES[outcome]
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <div className="min-w-0">
        <p>
          <span className="sr-only">{label}: </span>
          {text}
        </p>
        {fix && <p className="text-ink-muted">{fix}</p>}
        {source && <p className="text-xs text-ink-faint">{formatLawClause(source)}</p>}
        {missing && <QualificationSettingsLink />}
      </div>
    </li>
  )
}
