import { Target } from 'lucide-react'
import { formatFitReason, type ProjectFit } from '#contract/matching/fit.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'

const NO_REASON = 'ยังไม่คล้ายงานที่คุณชนะ ตัดสินใจยื่น หรือติดดาว'

const listReasonTexts = ({ reasons }: ProjectFit) => (reasons.length > 0 ? reasons.map(formatFitReason) : [NO_REASON])

export function FitMark({ row: { fit }, className }: { row: Pick<ReportRow, 'fit'>; className?: string }) {
  return fit ? <MarkButton fit={fit} className={className} /> : null
}

function MarkButton({ fit, className }: { fit: ProjectFit; className: string | undefined }) {
  const { buttonProps, popoverProps } = usePopover()
  const texts = listReasonTexts(fit)
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={`เหมาะกับเรา ${fit.score} จาก 100: ${texts.join(' · ')}`}
        title={texts.join('\n')}
        className={classNames(
          'inline-flex shrink-0 items-center gap-1 rounded-control text-xs font-medium whitespace-nowrap text-accent-ink tabular-nums touch:min-h-11 touch:min-w-11 touch:justify-center',
          className,
        )}
      >
        <Target aria-hidden className="size-3.5" />
        {fit.score}
      </button>
      <Popover
        {...popoverProps}
        label="เหมาะกับเรา"
        focus="panel"
        className="w-72 p-3 font-normal whitespace-normal text-ink"
      >
        <p className="mb-2 font-medium">เหมาะกับเรา {fit.score} จาก 100</p>
        <ul className="list-disc space-y-1 pl-4 text-sm text-ink-muted">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Popover>
    </>
  )
}

export function FitLine({ row: { fit }, className }: { row: Pick<ReportRow, 'fit'>; className?: string }) {
  if (!fit) return null
  return (
    <p className={classNames('flex items-start gap-1.5 text-sm', className)}>
      <Target aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
      <span>
        <span className="font-medium text-accent-ink tabular-nums">เหมาะกับเรา {fit.score}</span>
        <span className="text-ink-muted"> · {listReasonTexts(fit).join(' · ')}</span>
      </span>
    </p>
  )
}
