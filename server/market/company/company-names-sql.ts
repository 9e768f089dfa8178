import sql, { join, type Sql } from 'sql-template-tag'
import { companyNameKey } from '#contract/catalogue/company-name.ts'
import { arabicDigits } from '#contract/thai/thai-letters.ts'

/** `CompanyRef` (contract/market/company.ts) of a company `c`, for a select list. One name written in two ways is two names: an address finds its own first. */
export const COMPANY_REF = sql`c.id, c.name, c.tax_id, c.is_sme,
  exists (select from companies o where o.name_key = c.name_key and o.name = c.name and o.id <> c.id) as is_shared_name`

/** A tax id, or part of one, however its digits are grouped; those of consortia begin with D. */
const DIGITS = /^[dD]?[\d๐-๙][\d๐-๙ -]*$/

/** The digits of a text that holds nothing else, or undefined. */
export function taxDigits(text: string): string | undefined {
  if (!DIGITS.test(text)) return undefined
  return arabicDigits(text.replace(/[ -]/g, '').toUpperCase())
}

/**
 * Companies of which any spelling holds one of these texts, legal forms left out, or whose tax id does. A legal form alone says nothing and
 * finds nothing. `companyId`: the number that is tested.
 */
export function nameConditions(texts: readonly string[], companyId: Sql): Sql {
  const keys = texts.map(companyNameKey).filter((key) => key !== '')
  const digits = texts.flatMap((text) => taxDigits(text) ?? [])
  const ways = [
    // Every name is read anyway, and strpos is then 3 times faster than LIKE (server/platform/text/search-sql.ts).
    ...keys.map((key) => sql`select n.company_id from company_names n where strpos(n.name_key, ${key}::text) > 0`),
    // One of several sellers of a name bears a number that no project spells.
    ...keys.map(
      (key) =>
        sql`select o.id from companies o where o.split_from is not null and strpos(o.name_key, ${key}::text) > 0`,
    ),
    ...digits.map((part) => sql`select o.id from companies o where strpos(o.tax_id, ${part}::text) > 0`),
  ]
  return ways.length === 0 ? sql`false` : sql`${companyId} in (${join(ways, ' union all ')})`
}

/** The id under which the announced winner of a project `p` signed or bid: a person's name may say nothing of being one. */
export const WINNER_TIN = sql`coalesce(
  (select c.winner_tin from contracts c where c.project_id = p.project_id and c.winner_name = p.winner_name order by c.winner_tin limit 1),
  (select b.tin from bidders b where b.project_id = p.project_id and b.name = p.winner_name order by b.tin limit 1))`
