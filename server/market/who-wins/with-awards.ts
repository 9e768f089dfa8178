import type { ReportSearch } from '#contract/report/report-params.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import type { Db } from '#server/platform/engine/db.ts'
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
  const counted = await countIfCurrent(await memory?.purchaseAwardsOf(purchases, scope), count)
  return counted ? counted.result : await count(await readPurchaseAwards(db, purchases, scope))
}

async function countIfCurrent<Awards, T>(
  current: { readonly awards: Awards; readonly isCurrent: () => boolean } | undefined,
  count: (awards: Awards) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  if (!current) return undefined
  const result = await count(current.awards)
  return current.isCurrent() ? { result } : undefined
}
