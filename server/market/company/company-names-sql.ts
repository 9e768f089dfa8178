import sql, { join, type Sql } from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'

/**
 * Select list of `CompanyRef` (contract/market/company.ts) for a company `c`. `is_shared_name` compares exact names
 * only, because a URL with another spelling finds the company of that spelling first.
 */
export const COMPANY_REF_SQL = sql`c.id, c.name, c.tax_id, c.is_sme,
  exists (select from companies o where o.name_key = c.name_key and o.name = c.name and o.id <> c.id) as is_shared_name`

/** Matches a full or partial tax id with any grouping of its digits; ids of consortia begin with D. */
const TAX_ID_PATTERN = /^[dD]?[\d๐-๙][\d๐-๙ -]*$/

export function parseTaxIdDigits(text: string): string | undefined {
  if (!TAX_ID_PATTERN.test(text)) return undefined
  return toArabicDigits(text.replace(/[ -]/g, '').toUpperCase())
}

/**
 * SQL condition: a spelling of the company (without legal forms) or its tax id contains one of these texts. A bare
 * legal form matches nothing. `companyId`: the id column to test.
 */
export function companyNameCondition(texts: readonly string[], companyId: Sql): Sql {
  const keys = texts.map(toCompanyNameKey).filter((key) => key !== '')
  const digits = texts.flatMap((text) => parseTaxIdDigits(text) ?? [])
  const idQueries = [
    // All names are scanned anyway; strpos is then 3 times faster than LIKE (search-sql.ts).
    ...keys.map((key) => sql`select n.company_id from company_names n where strpos(n.name_key, ${key}::text) > 0`),
    ...digits.map(
      (digitSequence) => sql`select o.id from companies o where strpos(o.tax_id, ${digitSequence}::text) > 0`,
    ),
  ]
  return idQueries.length === 0 ? sql`false` : sql`${companyId} in (${join(idQueries, ' union all ')})`
}

/**
 * Tax id with which the announced winner of project `p` signed or bid. Needed because the name alone may not show that
 * the winner is a person.
 */
export const WINNER_TAX_ID_SQL = sql`coalesce(
  (select c.winner_tin from contracts c where c.project_id = p.project_id and c.winner_name = p.winner_name order by c.winner_tin limit 1),
  (select b.tin from bidders b where b.project_id = p.project_id and b.name = p.winner_name order by b.tin limit 1))`
