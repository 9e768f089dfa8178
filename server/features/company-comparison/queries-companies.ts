import sql from 'sql-template-tag'
import type { CompanyRef } from '#contract/company/company.ts'
import type { Db } from '#server/engine/db.ts'
import { COMPANY_REF } from '#server/features/company/company-ref-sql.ts'

/** Companies by id. */
export async function loadCompanies(db: Db, ids: readonly number[]): Promise<Map<number, CompanyRef>> {
  const rows = await db.query<CompanyRef>(
    sql`select ${COMPANY_REF} from companies c where c.id = any (${[...ids]}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
