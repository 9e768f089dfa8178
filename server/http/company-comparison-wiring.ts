import { findCompanies } from '#server/features/company/find-company.ts'
import type { ComparisonContext } from '#server/features/company-comparison/routes.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What a comparison needs of the companies, which it does not know. */
export function companyComparisonOptions(context: RouteContext): ComparisonContext {
  return { ...context, findCompanies }
}
