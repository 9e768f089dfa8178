import { ProblemError } from './problem.ts'

/** Accepts the range of PostgreSQL's `int`. Throws `not_found` for any other text, as for a missing row. */
export function rowIdOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProblemError('not_found')
  return Number(text)
}
