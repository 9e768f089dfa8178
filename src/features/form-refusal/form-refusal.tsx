import { useEffect, useRef } from 'react'
import { errorRequestId, errorText, fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { FormError } from '#src/ui/form/form-error.tsx'

type ShowError<Field> = (field: Field, error: { message: string }, options: { shouldFocus: boolean }) => void

/** Puts what the server refused beside its fields, the first of them focused; false when it named none of them. */
export function showFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  setError: ShowError<Field>,
): boolean {
  const found = fieldErrorsOf(error, fields)
  for (const [index, [field, message]] of found.entries()) setError(field, { message }, { shouldFocus: index === 0 })
  return found.length > 0
}

/** Why the server did not take the form as a whole; takes focus. */
export function FormRefusal({ refusal }: { refusal: unknown }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusal !== undefined) notice.current?.focus()
  }, [refusal])
  if (refusal === undefined) return null
  return <FormError ref={notice} text={errorText(refusal)} requestId={errorRequestId(refusal)} />
}
