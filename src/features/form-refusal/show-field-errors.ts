import { fieldErrorsOf } from '#src/api/http/field-errors.ts'

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
