import { useEffect, useRef } from 'react'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { FormError } from '#src/ui/form/form-error.tsx'

/** Why the server did not take the form as a whole; takes focus. */
export function FormRefusal({ refusal }: { refusal: unknown }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusal !== undefined) notice.current?.focus()
  }, [refusal])
  if (refusal === undefined) return null
  return <FormError ref={notice} text={errorText(refusal)} requestId={errorRequestId(refusal)} />
}
