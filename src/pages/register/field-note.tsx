import { Check } from 'lucide-react'

/** What is known about a value while it is typed; read out when it changes. */
export function FieldNote({ text, isGood }: { text: string | undefined; isGood: boolean }) {
  return (
    <span role="status" className={isGood ? 'inline-flex items-center gap-1 text-new' : ''}>
      {isGood && <Check aria-hidden className="size-3.5" />}
      {text}
    </span>
  )
}
