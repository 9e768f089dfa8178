import sql from 'sql-template-tag'

/** `CompanyRef` (contract/company/company.ts) of a company `c`, for a select list. One name written in two ways is two names: an address finds its own first. */
export const COMPANY_REF = sql`c.id, c.name, c.tax_id, c.is_sme,
  exists (select from companies o where o.name_key = c.name_key and o.name = c.name and o.id <> c.id) as is_shared_name`
