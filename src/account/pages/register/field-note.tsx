import { Check } from 'lucide-react'

type FieldNoteProps = { text: string | undefined; isGood: boolean; error: string | undefined }

/** Live note below a field, announced on change. Empty when the field has an error. */
export function FieldNote({ text, isGood, error }: FieldNoteProps) {
  const hasGoodNews = isGood && text !== undefined && error === undefined
  return (
    <span role="status" className={hasGoodNews ? 'inline-flex items-center gap-1 text-new' : ''}>
      {hasGoodNews && <Check aria-hidden className="size-3.5" />}
      {error === undefined && text}
    </span>
  )
}
