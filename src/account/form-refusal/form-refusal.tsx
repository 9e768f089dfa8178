import { useEffect, useRef, useState } from 'react'
import type { FieldPath, FieldValues, UseFormHandleSubmit, UseFormSetError } from 'react-hook-form'
import { errorRequestId, errorText, fieldErrorsOf } from '#src/api/http/problem-error.ts'
import { useSingleSubmit } from '#src/lib/use-one-at-a-time.ts'
import { FormError } from '#src/ui/form/form-error.tsx'

type ShowError<Field> = (field: Field, error: { message: string }, options: { shouldFocus: boolean }) => void

/**
 * Shows the field errors and focuses the first invalid field; returns false when the error names none of these fields.
 */
export function showFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  setError: ShowError<Field>,
): boolean {
  const fieldErrors = fieldErrorsOf(error, fields)
  for (const [index, [field, message]] of fieldErrors.entries())
    setError(field, { message }, { shouldFocus: index === 0 })
  return fieldErrors.length > 0
}

type SubmittedForm<Input extends FieldValues, Values> = {
  readonly handleSubmit: UseFormHandleSubmit<Input, Values>
  readonly setError: UseFormSetError<Input>
}

/**
 * Returns a submit handler that ignores repeated submits. Errors of `send` appear at the `fields` that the server
 * named; otherwise they are returned as `refusal`, for `FormRefusal`.
 */
export function useFormSubmit<Input extends FieldValues, Values>(
  { handleSubmit, setError }: SubmittedForm<Input, Values>,
  fields: readonly FieldPath<Input>[],
  send: (values: Values) => Promise<unknown>,
) {
  const [refusal, setRefusal] = useState<unknown>()
  const submit = useSingleSubmit(
    handleSubmit(async (values) => {
      setRefusal(undefined)
      try {
        await send(values)
      } catch (error) {
        if (!showFieldErrors(error, fields, setError)) setRefusal(error)
      }
    }),
  )
  return { submit, refusal }
}

export function FormRefusal({ refusal }: { refusal: unknown }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusal !== undefined) notice.current?.focus()
  }, [refusal])
  if (refusal === undefined) return null
  return <FormError ref={notice} text={errorText(refusal)} requestId={errorRequestId(refusal)} />
}
