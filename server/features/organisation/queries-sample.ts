import sql, { bulk } from 'sql-template-tag'
import type { CustomerConfig, KeywordList } from '#contract/organisation.ts'
import type { Db } from '#server/db/db.ts'

export type NewOrganisation = {
  code: string
  name: string
  package: string
  customer_config: CustomerConfig
  areas_with_provinces: Record<string, string[]>
  areas_filter_report: Record<string, string[]> | null
  is_access_budget_year: boolean
  is_access_budget_year_only: boolean
  allow_access_budget_year: string
  is_company_compare: boolean
  is_access_company_comparison: boolean
}

/** Id of the new organisation; undefined when its code is taken. */
export async function insertOrganisation(db: Db, row: NewOrganisation): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(sql`
    insert into organisations (code, name, package, customer_config, areas_with_provinces, areas_filter_report,
      is_access_budget_year, is_access_budget_year_only, allow_access_budget_year, is_company_compare, is_access_company_comparison)
    values (${row.code}, ${row.name}, ${row.package}, ${JSON.stringify(row.customer_config)}::jsonb,
      ${JSON.stringify(row.areas_with_provinces)}::jsonb,
      ${row.areas_filter_report === null ? null : JSON.stringify(row.areas_filter_report)}::jsonb,
      ${row.is_access_budget_year}, ${row.is_access_budget_year_only}, ${row.allow_access_budget_year},
      ${row.is_company_compare}, ${row.is_access_company_comparison})
    on conflict (code) do nothing
    returning id`)
  return rows[0]?.id
}

export type NewKeyword = { list: KeywordList; word: string; groupId: number | null; approved: boolean }

export async function insertKeywords(db: Db, organisationId: number, keywords: readonly NewKeyword[]): Promise<void> {
  if (keywords.length === 0) return
  const rows = keywords.map(({ list, word, groupId, approved }) => [organisationId, list, word, groupId, approved])
  await db.execute(sql`insert into keywords (organisation_id, list, word, group_id, approved) values ${bulk(rows)}`)
}

export type NewUser = {
  organisationId: number
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  role: string
}

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db.execute(sql`
    insert into users (organisation_id, email, email_key, password_hash, first_name, last_name, role)
    values (${user.organisationId}, ${user.email}, ${user.email}, ${user.passwordHash}, ${user.firstName}, ${user.lastName}, ${user.role})`)
}
