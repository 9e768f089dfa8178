import { CircleAlert } from 'lucide-react'
import type { Ref } from 'react'
import { getErrorRequestId, getErrorText } from '#src/lib/problem-error.ts'

type FormErrorProps = { ref?: Ref<HTMLDivElement>; error: unknown; text?: string }

/** Server error of a form. Focus it through `ref` so that screen readers announce it at once. */
export function FormError({ ref, error, text = getErrorText(error) }: FormErrorProps) {
  const requestId = getErrorRequestId(error)
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="flex items-start gap-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2 text-urgent outline-none"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>
        <p>{text}</p>
        {requestId && <p className="text-xs">รหัสอ้างอิง {requestId}</p>}
      </div>
    </div>
  )
}
