import sql from 'sql-template-tag'
import type { CustomerConfig } from '#contract/account/organisation.ts'
import { NEW_ACCOUNT_REPORT_COLUMNS } from '#contract/catalogue/column-presets.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type NewOrganisation = {
  code: string
  name: string
  name_key: string
  package: string
  customer_config: CustomerConfig
  areas_with_provinces: Record<string, string[]>
  areas_filter_report: Record<string, string[]> | null
  is_access_budget_year: boolean
  is_access_budget_year_only: boolean
  allow_access_budget_year: string
  is_company_compare: boolean
  is_access_company_comparison: boolean
  is_watchlist_completed: boolean
  business_types?: readonly number[]
  discover_channel?: string | null
}

/**
 * Stores an organisation and returns its id, or undefined when the code is taken. Rejects with StatementError 23505
 * when the name is taken.
 */
export async function insertOrganisation(db: Db, row: NewOrganisation): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(sql`
    insert into organisations (code, name, name_key, package, customer_config, areas_with_provinces, areas_filter_report,
      is_access_budget_year, is_access_budget_year_only, allow_access_budget_year, is_company_compare, is_access_company_comparison,
      is_watchlist_completed, business_types, discover_channel)
    values (${row.code}, ${row.name}, ${row.name_key}, ${row.package}, ${JSON.stringify(row.customer_config)}::jsonb,
      ${JSON.stringify(row.areas_with_provinces)}::jsonb,
      ${row.areas_filter_report === null ? null : JSON.stringify(row.areas_filter_report)}::jsonb,
      ${row.is_access_budget_year}, ${row.is_access_budget_year_only}, ${row.allow_access_budget_year},
      ${row.is_company_compare}, ${row.is_access_company_comparison}, ${row.is_watchlist_completed},
      ${[...(row.business_types ?? [])]}::int[], ${row.discover_channel ?? null})
    on conflict (code) do nothing
    returning id`)
  return rows[0]?.id
}

export type NewUser = {
  organisationId: number
  email: string
  emailKey: string
  passwordHash: string
  firstName: string | null
  lastName: string | null
  role: string
  phone?: string | null
  termsVersion?: string | null
  termsAcceptedAt?: string | null
}

/**
 * Stores a user and returns the id. Rejects with StatementError 23505 when the e-mail address or phone number is taken.
 */
export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into users (organisation_id, email, email_key, password_hash, first_name, last_name, role, phone, terms_version, terms_accepted_at,
      customize_report_table)
    values (${user.organisationId}, ${user.email}, ${user.emailKey}, ${user.passwordHash}, ${user.firstName}, ${user.lastName}, ${user.role},
      ${user.phone ?? null}, ${user.termsVersion ?? null}, ${user.termsAcceptedAt ?? null}::timestamptz,
      ${JSON.stringify(NEW_ACCOUNT_REPORT_COLUMNS)}::jsonb)
    returning id`)
  return row!.id
}
