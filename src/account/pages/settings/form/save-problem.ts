import { formatErrorMessage, ProblemError } from '#src/lib/problem-error.ts'

/** Returns why settings that are sent as a whole were refused: the first field error, otherwise the general reason. */
export function getSettingsSaveProblemText(error: unknown): string {
  const [fieldError] = error instanceof ProblemError ? Object.values(error.fieldErrors).flat() : []
  return fieldError ?? formatErrorMessage(error)
}
