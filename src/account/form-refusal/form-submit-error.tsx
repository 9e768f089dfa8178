import { useRef } from 'react'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { FormError } from '#src/ui/form/form-error.tsx'

/** Shows why the server refused a form or a mutation, and takes the focus. Renders nothing without a refusal. */
export function FormSubmitError({ refusal }: { refusal: unknown }) {
  const notice = useRef<HTMLDivElement>(null)
  useOnChange(refusal, () => notice.current?.focus())
  return refusal != null && <FormError ref={notice} error={refusal} />
}
