import sql from 'sql-template-tag'
import { companyNameKey } from '#contract/catalogue/company-name.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_REF, nameConditions } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'

export const MOST_SIMILAR = 5
/** Characters per fragment: with three, a wrong letter spoils three of a dozen fragments. */
const PIECE = 3
/** Further fragments of a long name add nothing. */
const MOST_PIECES = 16
/** Share of the fragments that a similar name must contain. */
export const ALIKE = 0.3

export function piecesOf(key: string): string[] {
  const signs = [...key]
  const pieces = signs.slice(0, MOST_PIECES).map((_, at) => signs.slice(at, at + PIECE).join(''))
  return [...new Set(pieces.filter((piece) => [...piece].length === PIECE))]
}

/**
 * Companies like a text without a match: first those that match it outside the scope, then those that share most
 * fragments; ties by number of projects.
 */
export async function findSimilar(db: Db, texts: readonly string[]): Promise<CompanyRef[]> {
  const pieces = texts.map(companyNameKey).flatMap(piecesOf)
  const likeness = sql`(select count(*) from unnest(${pieces}::text[]) p (piece) where strpos(n.name_key, p.piece) > 0)::float8`
  return db.query<CompanyRef>(sql`
    with named as (
      select n.company_id, 1::float8 as alike, n.uses from company_names n where ${nameConditions(texts, sql`n.company_id`)}
    ), like_it as (
      select n.company_id, ${likeness} / ${Math.max(1, pieces.length)}::int as alike, n.uses from company_names n
      where not exists (select from named)
    ), best as (
      select t.company_id, max(t.alike) as alike, sum(t.uses) as uses
      from (select * from named union all select * from like_it) t where t.alike >= ${ALIKE}::float8
      group by t.company_id
      order by 2 desc, 3 desc, 1 limit ${MOST_SIMILAR}::int
    )
    select ${COMPANY_REF}
    from best b join companies c on c.id = b.company_id
    order by b.alike desc, b.uses desc, c.id`)
}
