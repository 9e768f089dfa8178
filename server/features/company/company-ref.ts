import type { CompanyRef } from '#contract/company/company.ts'

/** The wire form: an allow-list. */
export function refOf({ id, name, tax_id, is_shared_name, is_sme }: CompanyRef): CompanyRef {
  return { id, name, tax_id, is_shared_name, is_sme }
}
