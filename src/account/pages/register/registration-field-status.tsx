import { Check } from 'lucide-react'

type FieldNoteProps = { text: string | undefined; isGood: boolean; error: string | undefined }

export function RegistrationFieldStatus({ text, isGood, error }: FieldNoteProps) {
  const isSuccess = isGood && text !== undefined && error === undefined
  return (
    <span role="status" className={isSuccess ? 'inline-flex items-center gap-1 text-new' : ''}>
      {isSuccess && <Check aria-hidden className="size-3.5" />}
      {error === undefined && text}
    </span>
  )
}
