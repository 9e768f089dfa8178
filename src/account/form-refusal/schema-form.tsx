import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type RegisterOptions,
  type UseFormProps,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod/mini'
import { getFieldErrors } from '#src/lib/problem-error.ts'
import { FormSubmitError } from './form-submit-error.tsx'

type SchemaFormOptions<Input extends FieldValues, Values> = UseFormProps<Input, unknown, Values> & {
  schema?: z.core.$ZodType<Values, Input>
  fields?: readonly FieldPath<Input>[]
  initialRefusal?: unknown
}

const ignore = () => undefined

/**
 * A form that is submitted through a mutation. Errors of `send` that name one of `fields` are shown at that field, and
 * the first of these fields gets the focus; other errors are returned as `refusal`, which `SchemaForm` shows. A submit
 * while another is pending is ignored. `showRefusal` shows the error of another request in its place; the next submit
 * clears it. `field` returns the props of a text field, `choice` those of a control that is no native input.
 */
export function useSchemaForm<Input extends FieldValues, Values>(
  { schema, fields = [], initialRefusal, ...options }: SchemaFormOptions<Input, Values>,
  send: (values: Values) => Promise<unknown>,
) {
  const form = useForm<Input, unknown, Values>({
    ...(schema && { resolver: standardSchemaResolver(schema) }),
    ...options,
  })
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
  const refusal = error !== null && getFieldErrors(error, fields).length === 0 ? error : shownRefusal
  const showRefusal = (otherRefusal: unknown) => {
    reset()
    setShownRefusal(otherRefusal)
  }
  const errorOf = (name: FieldPath<Input>) => getFieldState(name, formState).error?.message
  const field = <Name extends FieldPath<Input>>(name: Name, registerOptions?: RegisterOptions<Input, Name>) => ({
    ...register(name, registerOptions),
    error: errorOf(name),
  })
  const choice = <Name extends FieldPath<Input>>(name: Name) => ({
    value: form.watch(name),
    onChange: (value: FieldPathValue<Input, Name>) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: true }),
    error: errorOf(name),
  })
  return { ...form, submit, refusal, showRefusal, field, choice, isSubmitting: formState.isSubmitting }
}

export type SchemaFormProps = {
  form: Pick<ReturnType<typeof useSchemaForm>, 'submit' | 'refusal' | 'isSubmitting'>
  id?: string
  className?: string
  title?: string
  lead?: ReactNode
  intro?: ReactNode
  children: ReactNode
}

export function SchemaForm({ form, id, className = 'space-y-4', title, lead, intro, children }: SchemaFormProps) {
  return (
    <form id={id} noValidate onSubmit={form.submit} aria-busy={form.isSubmitting} className={className}>
      {title && (
        <div>
          <h1 className="text-2xl font-semibold">{title}</h1>
          <p className="text-ink-muted">{lead}</p>
        </div>
      )}
      {intro}
      <FormSubmitError refusal={form.refusal} />
      {children}
    </form>
  )
}
