import { CircleAlert } from 'lucide-react'
import { DOUBT_LABELS, type Doubt, doubtSentence } from '#contract/catalogue/doubt.ts'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'

export function DoubtMark({ doubt }: { doubt: Doubt }) {
  return (
    <details className="text-xs font-normal">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-control text-updated touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <CircleAlert aria-hidden className="size-3.5 shrink-0" />
        {DOUBT_LABELS[doubt.kind]}
      </summary>
      <p className="mt-0.5 text-ink-muted">{doubtSentence(doubt)}</p>
    </details>
  )
}

/** All doubts of a project behind one icon, for rows and cards; renders nothing for a project without doubts. */
export function DoubtsButton({
  doubts = [],
  className = '',
}: {
  doubts?: readonly Doubt[] | undefined
  className?: string
}) {
  if (doubts.length === 0) return null
  const kinds = [...new Set(doubts.map(({ kind }) => DOUBT_LABELS[kind]))]
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
            {doubtSentence(doubt)}
          </li>
        ))}
      </ul>
    </ExplainButton>
  )
}
