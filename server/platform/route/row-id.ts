import { ProblemError } from './problem.ts'

/** Id of a row in an address: a number that PostgreSQL's `int` holds. Throws `not_found` for any other text, as for a row that is not there. */
export function rowIdOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProblemError('not_found')
  return Number(text)
}
