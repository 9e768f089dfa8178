import sql from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_REF_SQL, companyNameCondition } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'

export const MAX_SIMILAR_COMPANIES = 5
/** Characters per fragment. With three, one wrong letter spoils only three of a dozen fragments. */
const FRAGMENT_LENGTH = 3
const MAX_FRAGMENTS = 16
export const COMPANY_NAME_SIMILARITY_THRESHOLD = 0.3

export function splitIntoNameFragments(key: string): string[] {
  const signs = [...key]
  const fragments = signs.slice(0, MAX_FRAGMENTS).map((_, at) => signs.slice(at, at + FRAGMENT_LENGTH).join(''))
  return [...new Set(fragments.filter((fragment) => [...fragment].length === FRAGMENT_LENGTH))]
}

/**
 * Finds companies similar to a search text that matched none: first companies outside the scope that match it, then
 * those that share most fragments with it; ties by number of projects.
 */
export async function findSimilarCompanies(db: Db, texts: readonly string[]): Promise<CompanyRef[]> {
  const fragments = texts.map(toCompanyNameKey).flatMap(splitIntoNameFragments)
  const likeness = sql`(select count(*) from unnest(${fragments}::text[]) p (piece) where strpos(n.name_key, p.piece) > 0)::float8`
  return db.query<CompanyRef>(sql`
    with named as (
      select n.company_id, 1::float8 as alike, n.uses from company_names n where ${companyNameCondition(texts, sql`n.company_id`)}
    ), like_it as (
      select n.company_id, ${likeness} / ${Math.max(1, fragments.length)}::int as alike, n.uses from company_names n
      where not exists (select from named)
    ), best as (
      select t.company_id, max(t.alike) as alike, sum(t.uses) as uses
      from (select * from named union all select * from like_it) t where t.alike >= ${COMPANY_NAME_SIMILARITY_THRESHOLD}::float8
      group by t.company_id
      order by 2 desc, 3 desc, 1 limit ${MAX_SIMILAR_COMPANIES}::int
    )
    select ${COMPANY_REF_SQL}
    from best b join companies c on c.id = b.company_id
    order by b.alike desc, b.uses desc, c.id`)
}
