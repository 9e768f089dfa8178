import { errorRequestId, errorText, ProblemError } from './problem-error.ts'

/**
 * What the person is told in one line (a toast, a note in a list): the reason, and for what is our fault the number to quote. A refusal says what
 * to do about it; a number beside it would only be noise.
 */
export function errorMessage(error: unknown): string {
  const id = error instanceof ProblemError && error.status < 500 ? undefined : errorRequestId(error)
  return id === undefined ? errorText(error) : `${errorText(error)} รหัสอ้างอิง ${id}`
}
