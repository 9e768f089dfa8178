import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import {
  BID_COLUMNS,
  type BidColumns,
  type DiscountColumns,
  discountColumns,
  type FactScope,
} from '#server/features/company/company-scope.ts'
import { factsSql } from '../facts-sql.ts'

export type StoredPrevious = BidColumns & DiscountColumns & { readonly wins: number; readonly value: number | null }

/** The few figures that are held against those of the years before. */
export async function loadPrevious(db: Db, companyId: number, scope: FactScope): Promise<StoredPrevious> {
  const [previous] = await db.query<StoredPrevious>(sql`
    select count(*) filter (where f.is_winner)::int as wins, sum(f.value_satang)::bigint as value, ${BID_COLUMNS}, ${discountColumns()}
    from (${factsSql(companyId, scope)}) f`)
  return previous!
}
