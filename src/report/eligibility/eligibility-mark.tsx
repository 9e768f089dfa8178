import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { getBidState } from '#contract/catalogue/bid-state.ts'
import { formatLawClause } from '#contract/catalogue/procurement-rules.ts'
import {
  decideEligibility,
  type EligibilityCheck,
  type EligibilityDecision,
  formatEligibility,
} from '#contract/report/eligibility.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { ProjectMark } from '#src/report/project-row/project-mark.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'

const MARKS = {
  met: { icon: CircleCheck, className: 'text-new', label: 'ผ่าน' },
  unmet: { icon: CircleX, className: 'text-urgent', label: 'ไม่ผ่าน' },
  unknown: { icon: CircleHelp, className: 'text-ink-faint', label: 'ยังไม่รู้' },
} as const
const VERDICT_MARKS = { eligible: MARKS.met, blocked: MARKS.unmet, unknown: MARKS.unknown } as const

/** Returns the eligibility for a row; undefined once bidding has closed, and without qualifications (demo). */
function useEligibility(row: ReportRow): EligibilityDecision | undefined {
  const { bidder, today } = useProjectRowDisplayData()
  const state = getBidState(row, today)
  return bidder && (state === 'open' || state === 'upcoming') ? decideEligibility(row, bidder, today) : undefined
}

/** Hidden until the organisation has stated its kind of bidder, because nearly every row would show it. */
export function EligibilityMark({ row, className }: { row: ReportRow; className?: string }) {
  const { bidder } = useProjectRowDisplayData()
  const decision = useEligibility(row)
  if (!decision || (decision.verdict === 'unknown' && bidder?.bidder_kind === null)) return null
  const { icon, className: tone } = VERDICT_MARKS[decision.verdict]
  const text = formatEligibility(decision)
  return (
    <ProjectMark
      icon={icon}
      label={`ยื่นได้ไหม: ${text}`}
      title={decision.checks.map((check) => check.text).join('\n')}
      text={decision.verdict !== 'unknown' && text}
      className={classNames(tone, className)}
      panelLabel="ยื่นได้ไหม"
      heading={`ยื่นได้ไหม: ${text}`}
    >
      <EligibilityChecks checks={decision.checks} />
    </ProjectMark>
  )
}

export function EligibilityLine({ row }: { row: ReportRow }) {
  const decision = useEligibility(row)
  if (!decision) return null
  const { icon: Icon, className } = VERDICT_MARKS[decision.verdict]
  return (
    <p className="mt-1.5 flex items-start gap-1.5 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <span>
        <span className={className}>{formatEligibility(decision)}</span>
        {decision.checks[0] && <span className="text-ink-muted"> · {decision.checks[0].text}</span>}
      </span>
    </p>
  )
}

export function EligibilityChecks({ checks }: { checks: readonly EligibilityCheck[] }) {
  return (
    <ul className="space-y-2 text-sm">
      {checks.map((check) => (
        <CheckRow key={check.text} check={check} />
      ))}
    </ul>
  )
}

function CheckRow({ check: { outcome, text, source, fix, missing } }: { check: EligibilityCheck }) {
  const { icon: Icon, className, label } = MARKS[outcome]
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
