import sql, { type Sql } from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_REF_SQL } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type CompanyCandidate = CompanyRef & {
  readonly key: string
  readonly spelling: string
  readonly wins: number
  readonly value_satang: number | null
}

const STORED_FIGURES = sql`left join company_figures k on k.company_id = c.id and k.fiscal_year = 0`
const BY_WINS = sql`wins desc, value_satang desc nulls last, id`

export async function findCompanyCandidates(
  db: Db,
  { keys, taxIds }: { readonly keys: readonly string[]; readonly taxIds: readonly string[] },
): Promise<CompanyCandidate[]> {
  return db.query<CompanyCandidate>(sql`
    select ${COMPANY_REF_SQL}, s.key, s.spelling, coalesce(k.wins, 0) as wins, k.value_satang
    from (
      select o.id, o.name_key as key, o.name as spelling from companies o where o.name_key = any (${[...keys]}::text[])
      union select n.company_id, n.name_key, n.name from company_names n where n.name_key = any (${[...keys]}::text[])
      union select o.id, o.tax_id, o.name from companies o where o.tax_id = any (${[...taxIds]}::text[])
    ) s
    join companies c on c.id = s.id
    ${STORED_FIGURES}
    order by ${BY_WINS}`)
}

export async function findWinningCompanies(db: Db, condition: Sql, limit: number): Promise<CompanyCandidate[]> {
  return db.query<CompanyCandidate>(sql`
    select ${COMPANY_REF_SQL}, c.name_key as key, c.name as spelling, found.wins, found.value_satang
    from (
      select c.id, coalesce(k.wins, 0) as wins, k.value_satang from companies c ${STORED_FIGURES} where ${condition}
      order by ${BY_WINS} limit ${limit}::int
    ) found
    join companies c on c.id = found.id
    order by found.wins desc, found.value_satang desc nulls last, found.id`)
}

export async function loadCompanyRefs(db: Db, ids: readonly number[]): Promise<Map<number, CompanyRef>> {
  const rows = await db.query<CompanyRef>(
    sql`select ${COMPANY_REF_SQL} from companies c where c.id = any (${[...ids]}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
