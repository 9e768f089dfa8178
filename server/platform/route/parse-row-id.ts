import { ProblemError } from './route-problem.ts'

/** Parses a row id in the range of PostgreSQL's `int`. Any other text throws `not_found`, as a missing row does. */
export function parseRowId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProblemError('not_found')
  return Number(text)
}
