import sql, { type Sql } from 'sql-template-tag'

/**
 * Sizes of what was won, in baht, the upper border included: up to 500,000 the state may buy without competition, from 5 million on the draft must be
 * published for comment.
 */
const BORDERS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000] as const
const UNKNOWN = BORDERS.length

/** Number of the band of an amount in satang: its place in `BORDERS`, `UNKNOWN` for none. */
export function sizeBandSql(satang: Sql): Sql {
  const [, ...uppers] = BORDERS
  return sql`(case when ${satang} is null then ${UNKNOWN}::int
    else width_bucket(${satang} - 1, ${uppers.map((baht) => baht * 100)}::bigint[]) end)::smallint`
}

/** `500000-5000000`, open above: `50000000-`, else `unknown`. */
export function sizeBandName(band: number): string {
  if (band === UNKNOWN) return 'unknown'
  return `${BORDERS[band]}-${BORDERS[band + 1] ?? ''}`
}

/** Bands from the smallest on, the unknown last. */
export const SIZE_BANDS: readonly string[] = [...BORDERS, UNKNOWN].map((_, band) => sizeBandName(band))
