import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { getBidState } from '#contract/catalogue/bid-state.ts'
import { decideEligibility, type EligibilityDecision, formatEligibility } from '#contract/report/eligibility.ts'
import type { EligibilityVerdict } from '#contract/report/eligibility-verdict.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { EligibilityChecks } from './eligibility-checks.tsx'

const MARKS: Readonly<Record<EligibilityVerdict, { icon: typeof CircleCheck; className: string }>> = {
  eligible: { icon: CircleCheck, className: 'text-new' },
  blocked: { icon: CircleX, className: 'text-urgent' },
  unknown: { icon: CircleHelp, className: 'text-ink-faint' },
}

/** Decides the eligibility for a row. Undefined once bidding has closed, and without qualifications (demo). */
function useEligibility(row: ReportRow): EligibilityDecision | undefined {
  const { bidder, today } = useProjectRowDisplayData()
  const state = getBidState(row, today)
  return bidder && (state === 'open' || state === 'upcoming') ? decideEligibility(row, bidder, today) : undefined
}

/**
 * Shows whether the organisation may bid, with the reasons on hover and press. An unknown verdict is only an icon. It
 * is hidden until the organisation has stated its kind of bidder, because nearly every row would show it.
 */
export function EligibilityMark({ row, className }: { row: ReportRow; className?: string }) {
  const { bidder } = useProjectRowDisplayData()
  const decision = useEligibility(row)
  if (!decision || (decision.verdict === 'unknown' && bidder?.bidder_kind === null)) return null
  return <MarkButton decision={decision} className={className} />
}

function MarkButton({ decision, className }: { decision: EligibilityDecision; className: string | undefined }) {
  const { buttonProps, popoverProps } = usePopover()
  const { icon: Icon, className: tone } = MARKS[decision.verdict]
  const text = formatEligibility(decision)
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={`ยื่นได้ไหม: ${text}`}
        title={decision.checks.map((check) => check.text).join('\n')}
        className={classNames(
          'inline-flex shrink-0 items-center gap-1 rounded-control text-xs whitespace-nowrap touch:min-h-11 touch:min-w-11 touch:justify-center',
          tone,
          className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {decision.verdict !== 'unknown' && text}
      </button>
      <Popover
        {...popoverProps}
        label="ยื่นได้ไหม"
        focus="panel"
        className="w-72 p-3 font-normal whitespace-normal text-ink"
      >
        <p className="mb-2 font-medium">ยื่นได้ไหม: {text}</p>
        <EligibilityChecks checks={decision.checks} />
      </Popover>
    </>
  )
}

export function EligibilityLine({ row }: { row: ReportRow }) {
  const decision = useEligibility(row)
  if (!decision) return null
  const { icon: Icon, className } = MARKS[decision.verdict]
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
