import type { Organisation } from '#contract/account/organisation.ts'
import type { User } from '#contract/user/user.ts'

/** Budget-year access: the organisation's flag and, unless it is unset, the user's own (D14). "Budget only" includes it. */
export function hasBudgetAccess(account: {
  organisation: Pick<Organisation, 'is_access_budget_year' | 'is_access_budget_year_only'>
  user: Pick<User, 'is_access_budget_year'>
}): boolean {
  const { organisation, user } = account
  if (organisation.is_access_budget_year_only) return true
  return organisation.is_access_budget_year && user.is_access_budget_year !== false
}
