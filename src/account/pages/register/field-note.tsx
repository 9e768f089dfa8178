import { Check } from 'lucide-react'

type FieldNoteProps = { text: string | undefined; isGood: boolean; error: string | undefined }

/** What is known about a value while it is typed; read out when it changes. Empty beside an error: a field is never wrong and good at once. */
export function FieldNote({ text, isGood, error }: FieldNoteProps) {
  const hasGoodNews = isGood && text !== undefined && error === undefined
  return (
    <span role="status" className={hasGoodNews ? 'inline-flex items-center gap-1 text-new' : ''}>
      {hasGoodNews && <Check aria-hidden className="size-3.5" />}
      {error === undefined && text}
    </span>
  )
}
