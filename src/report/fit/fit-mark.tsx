import { Target } from 'lucide-react'
import { formatFitReason, type ProjectFit } from '#contract/matching/fit.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { ProjectMark } from '#src/report/project-row/project-mark.tsx'

const NO_REASON = 'ยังไม่คล้ายงานที่คุณชนะ ตัดสินใจยื่น หรือติดดาว'

const listReasonTexts = ({ reasons }: ProjectFit) => (reasons.length > 0 ? reasons.map(formatFitReason) : [NO_REASON])

export function FitMark({ row: { fit } }: { row: Pick<ReportRow, 'fit'> }) {
  if (!fit) return null
  const texts = listReasonTexts(fit)
  return (
    <ProjectMark
      icon={Target}
      label={`เหมาะกับเรา ${fit.score} จาก 100: ${texts.join(' · ')}`}
      title={texts.join('\n')}
      text={fit.score}
      className="font-medium text-accent-ink tabular-nums"
      panelLabel="เหมาะกับเรา"
      heading={`เหมาะกับเรา ${fit.score} จาก 100`}
    >
      <ul className="list-disc space-y-1 pl-4 text-sm text-ink-muted">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </ProjectMark>
  )
}

export function FitLine({ row: { fit } }: { row: Pick<ReportRow, 'fit'> }) {
  if (!fit) return null
  return (
    <p className="mt-1.5 flex items-start gap-1.5 text-sm">
      <Target aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
      <span>
        <span className="font-medium text-accent-ink tabular-nums">เหมาะกับเรา {fit.score}</span>
        <span className="text-ink-muted"> · {listReasonTexts(fit).join(' · ')}</span>
      </span>
    </p>
  )
}
