import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import type { FieldPath, FieldValues, RegisterOptions, UseFormReturn } from 'react-hook-form'
import { getErrorRequestId, getErrorText, getFieldErrors } from '#src/lib/problem-error.ts'
import { FormError } from '#src/ui/form/form-error.tsx'

const ignore = () => undefined

/**
 * Submits a form through a mutation. Errors of `send` that name one of `fields` are shown at that field, and the first
 * of these fields gets the focus; other errors are returned as `refusal`, for `FormSubmitError`. A submit while another
 * is pending is ignored. `showRefusal` shows the error of another request in its place; the next submit clears it.
 * `field` returns the props of a text field: its registration and its error.
 */
export function useFormSubmit<Input extends FieldValues, Values>(
  form: UseFormReturn<Input, unknown, Values>,
  fields: readonly FieldPath<Input>[],
  send: (values: Values) => Promise<unknown>,
  initialRefusal?: unknown,
) {
  const { register, handleSubmit, setError, getFieldState, formState } = form
  const queryClient = useQueryClient()
  const mutationKey = ['form', useId()]
  const [shownRefusal, setShownRefusal] = useState(initialRefusal)
  const { mutateAsync, error, reset } = useMutation({
    mutationKey,
    mutationFn: send,
    onMutate: () => setShownRefusal(undefined),
    onError: (problem) => {
      const fieldErrors = getFieldErrors(problem, fields)
      for (const fieldError of fieldErrors) {
        const [field, message] = fieldError
        setError(field, { message }, { shouldFocus: fieldError === fieldErrors[0] })
      }
    },
    // Evict the mutation together with the form, because its variables may contain a password.
    gcTime: 0,
  })
  const sendOnce = handleSubmit((values) => mutateAsync(values).then(ignore, ignore))
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault()
    // Read the mutation cache, because `isPending` dates from the last render and misses an Enter right after a click.
    if (queryClient.isMutating({ mutationKey }) === 0) void sendOnce(event)
  }
  const refusal = error !== null && getFieldErrors(error, fields).length === 0 ? error : undefined
  const showRefusal = (otherRefusal: unknown) => {
    reset()
    setShownRefusal(otherRefusal)
  }
  const field = <Name extends FieldPath<Input>>(name: Name, options?: RegisterOptions<Input, Name>) => ({
    ...register(name, options),
    error: getFieldState(name, formState).error?.message,
  })
  return { submit, refusal: refusal ?? shownRefusal, showRefusal, field, isSubmitting: formState.isSubmitting }
}

/** Shows why the server refused a form or a mutation, and takes the focus. Renders nothing without a refusal. */
export function FormSubmitError({ refusal }: { refusal: unknown }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusal !== undefined) notice.current?.focus()
  }, [refusal])
  if (refusal === undefined || refusal === null) return null
  return <FormError ref={notice} text={getErrorText(refusal)} requestId={getErrorRequestId(refusal)} />
}
