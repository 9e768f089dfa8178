import { CircleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { DOUBT_LABELS, type Doubt, doubtSentence } from '#contract/catalogue/doubt.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'

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
export function DoubtsButton({ doubts, className = '' }: { doubts: readonly Doubt[] | undefined; className?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (doubts === undefined || doubts.length === 0) return null
  const kinds = [...new Set(doubts.map(({ kind }) => DOUBT_LABELS[kind]))]
  return (
    <>
      <IconButton
        ref={button}
        icon={CircleAlert}
        size="sm"
        label={`ข้อสังเกตของข้อมูล: ${kinds.join(' · ')}`}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={`text-updated print:hidden ${className}`}
        iconClassName="size-3.5"
      />
      <Popover
        open={isOpen}
        onClose={() => setIsOpen(false)}
        anchor={button}
        label="ข้อสังเกตของข้อมูล"
        focus="panel"
        className="w-80 p-3 text-sm font-normal whitespace-normal text-ink"
      >
        <p className="font-medium">ข้อสังเกตของข้อมูล</p>
        <ul className="mt-1 space-y-1.5 text-ink-muted">
          {doubts.map((doubt) => (
            <li key={`${doubt.kind} ${doubt.field} ${doubt.value}`} className="break-words">
              {doubtSentence(doubt)}
            </li>
          ))}
        </ul>
      </Popover>
    </>
  )
}
