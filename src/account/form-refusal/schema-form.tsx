import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { ReactNode, SyntheticEvent } from 'react'
import { type FieldPath, type FieldValues, type UseFormProps, useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { FormSubmitError, useFormSubmit } from './form-submit-error.tsx'

type SchemaFormOptions<Input extends FieldValues, Values> = Omit<UseFormProps<Input, unknown, Values>, 'resolver'> & {
  schema: z.core.$ZodType<Values, Input>
  /** Fields at which the server's errors are shown. Errors of other fields are shown above the form. */
  fields?: readonly FieldPath<Input>[]
  initialRefusal?: unknown
}

/** A form that is validated by a schema and submitted as `useFormSubmit` does. Render it with `SchemaForm`. */
export function useSchemaForm<Input extends FieldValues, Values>(
  { schema, fields = [], initialRefusal, ...options }: SchemaFormOptions<Input, Values>,
  send: (values: Values) => Promise<unknown>,
) {
  const form = useForm<Input, unknown, Values>({ ...options, resolver: standardSchemaResolver(schema) })
  return { ...form, ...useFormSubmit(form, fields, send, initialRefusal) }
}

type SubmittedForm = {
  readonly submit: (event: SyntheticEvent) => void
  readonly refusal: unknown
  readonly isSubmitting: boolean
}

export type SchemaFormProps = {
  form: SubmittedForm
  id?: string
  className?: string
  /** Content above the server's refusal. */
  intro?: ReactNode
  children: ReactNode
}

/** The element of a form, with the server's refusal above its fields. */
export function SchemaForm({ form, id, className = 'space-y-4', intro, children }: SchemaFormProps) {
  return (
    <form id={id} noValidate onSubmit={form.submit} aria-busy={form.isSubmitting} className={className}>
      {intro}
      <FormSubmitError refusal={form.refusal} />
      {children}
    </form>
  )
}
