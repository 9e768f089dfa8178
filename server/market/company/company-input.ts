import { z } from 'zod/mini'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_PARAMS, type CompanySearch, parseCompanySearch } from '#contract/market/company-params.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'

export function toCompanyRef({ id, name, tax_id, is_shared_name, is_sme }: CompanyRef): CompanyRef {
  return { id, name, tax_id, is_shared_name, is_sme }
}

/** Only documents the parameters in the API reference; `parseCompanyInput` validates them, with messages in Thai. */
export const companyQuerystringSchema = z.looseObject(
  Object.fromEntries(COMPANY_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)

export type CompanyInput = {
  readonly search: CompanySearch
  readonly ignored: readonly string[]
}

export function parseCompanyInput(query: unknown): CompanyInput {
  return parseQueryParamsOrThrow(COMPANY_PARAMS, query, parseCompanySearch)
}
