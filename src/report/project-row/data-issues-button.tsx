import { CircleAlert } from 'lucide-react'
import { DATA_ISSUE_LABELS, type DataIssue, formatDataIssue } from '#contract/catalogue/data-issue.ts'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'

export function DataIssueMark({ doubt }: { doubt: DataIssue }) {
  return (
    <details className="text-xs font-normal">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-control text-updated touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <CircleAlert aria-hidden className="size-3.5 shrink-0" />
        {DATA_ISSUE_LABELS[doubt.kind]}
      </summary>
      <p className="mt-0.5 text-ink-muted">{formatDataIssue(doubt)}</p>
    </details>
  )
}

type DataIssuesButtonProps = { doubts?: readonly DataIssue[] | undefined; className?: string }

export function DataIssuesButton({ doubts = [], className = '' }: DataIssuesButtonProps) {
  if (doubts.length === 0) return null
  const kinds = [...new Set(doubts.map(({ kind }) => DATA_ISSUE_LABELS[kind]))]
  return (
    <ExplainButton
      subject="ข้อสังเกตของข้อมูล"
      panelLabel="ข้อสังเกตของข้อมูล"
      icon={CircleAlert}
      label={`ข้อสังเกตของข้อมูล: ${kinds.join(' · ')}`}
      className={`text-updated ${className}`}
      iconClassName="size-3.5"
    >
      <ul className="space-y-1.5">
        {doubts.map((doubt) => (
          <li key={`${doubt.kind} ${doubt.field} ${doubt.value}`} className="break-words">
            {formatDataIssue(doubt)}
          </li>
        ))}
      </ul>
    </ExplainButton>
  )
}
