import { getReportTabProjectFacts } from '#server/report/engine/cached-matches.ts'
import type { InMemoryReportQuery } from '#server/report/engine/in-memory-report-query.ts'
import { FACTS_PER_PROJECT } from '#server/report/engine/project-columns.ts'

/** Returns 1 for each match whose row of the project columns passes the test. */
export function flagMatchesByRow({ tab: { rows } }: InMemoryReportQuery, test: (row: number) => boolean): Uint8Array {
  const passing = new Uint8Array(rows.length)
  for (let at = 0; at < rows.length; at += 1) if (test(rows[at]!)) passing[at] = 1
  return passing
}

/** Returns 1 for each match whose packed facts, which begin at `at`, pass the test. */
export function flagMatchesByFacts(
  { tab, columns }: InMemoryReportQuery,
  test: (facts: Int32Array, at: number) => boolean,
): Uint8Array {
  const facts = getReportTabProjectFacts(tab, columns)
  const passing = new Uint8Array(tab.rows.length)
  for (let position = 0; position < passing.length; position += 1)
    if (test(facts, position * FACTS_PER_PROJECT)) passing[position] = 1
  return passing
}

/** Returns 1 for the matches at these positions, or for all others if `negated`. */
export function flagMatchesAtPositions(
  { tab: { rows } }: InMemoryReportQuery,
  lists: readonly Int32Array[],
  negated = false,
): Uint8Array {
  const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
  for (const positions of lists) for (const position of positions) passing[position] = negated ? 0 : 1
  return passing
}
