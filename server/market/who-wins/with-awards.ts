import type { ReportSearch } from '#contract/report/report-params.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { AwardSet, PurchaseFilter, SearchAwardSet, WhoWinsScope } from './award-set.ts'
import { readAwards, readPurchaseAwards } from './read-awards.ts'

export type AwardSource = { readonly db: Db; readonly memory?: AwardCache | undefined }

/**
 * Passes the awards of a search to `count` and returns its result. If the data changed while counting from memory,
 * counts again by SQL.
 */
export async function withAwards<T>(
  { db, memory }: AwardSource,
  search: ReportSearch,
  scope: WhoWinsScope,
  count: (awards: SearchAwardSet) => Promise<T>,
): Promise<T> {
  const counted = await countIfCurrent(await memory?.awardsOf(search, scope), count)
  return counted ? counted.result : await count(await readAwards(db, search, scope))
}

export async function withPurchaseAwards<T>(
  { db, memory }: AwardSource,
  purchases: PurchaseFilter,
  scope: WhoWinsScope,
  count: (awarded: AwardSet) => Promise<T>,
): Promise<T> {
  const counted = await countIfCurrent(await memory?.awardsOf({}, scope), async (awards) =>
    count(await filterPurchases(awards, purchases)),
  )
  return counted ? counted.result : await count(await readPurchaseAwards(db, purchases, scope))
}

async function countIfCurrent<T>(
  cached: Awaited<ReturnType<AwardCache['awardsOf']>>,
  count: (awards: SearchAwardSet) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  if (!cached) return undefined
  const result = await count(cached.awards)
  return cached.isCurrent() ? { result } : undefined
}

/** Rows scanned before yielding to the event loop: about 5 ms. */
const ROWS_PER_SLICE = 500_000

async function filterPurchases(
  awards: AwardSet,
  { units, yearFrom = 1, yearTo = 0x7fff }: PurchaseFilter,
): Promise<AwardSet> {
  const { columns, spending } = awards
  const isRequestedUnit = new Uint8Array(awards.agencyOf.length)
  for (const unit of units) isRequestedUnit[unit] = 1
  // Without year limits, include projects whose year is unknown (0).
  const firstYear = yearFrom === 1 && yearTo === 0x7fff ? 0 : yearFrom
  const among = async (rows: Int32Array, { department, year }: Pick<typeof spending, 'department' | 'year'>) => {
    const matches: number[] = []
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!
      if (isRequestedUnit[department[row]!] === 1 && year[row]! >= firstYear && year[row]! <= yearTo) matches.push(row)
      if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    }
    return Int32Array.from(matches)
  }
  return { ...awards, facts: await among(awards.facts, columns), decided: await among(awards.decided, spending) }
}
