import { CircleAlert } from 'lucide-react'
import { DOUBT_LABELS, type Doubt, doubtSentence } from '#contract/catalogue/doubt.ts'

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
