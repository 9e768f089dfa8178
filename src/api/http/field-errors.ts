import { ProblemError } from './problem-error.ts'

/** The first message of each of these fields that the server refused, in the order of the form; empty when it named none of them. */
export function fieldErrorsOf<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): readonly (readonly [Field, string])[] {
  if (!(error instanceof ProblemError)) return []
  return fields.flatMap((field) => {
    const text = error.fieldErrors[field]?.[0]
    return text === undefined ? [] : [[field, text] as const]
  })
}
