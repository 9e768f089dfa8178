import { organisationQuery } from '#src/account/api/organisations.ts'
import { userQuery } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { rememberBudgetOnly } from '#src/lib/budget-only.ts'
import type { RouteDecision } from '#src/shell/navigation/entry-guard.ts'
import { type Account, decideRoute } from '#src/shell/navigation/route-guard.ts'

export async function loadAccount(): Promise<Account> {
  const [user, organisation] = await Promise.all([
    queryClient.query({ ...userQuery, staleTime: 'static' }),
    queryClient.query({ ...organisationQuery, staleTime: 'static' }),
  ])
  rememberBudgetOnly(organisation.is_access_budget_year_only)
  return { user, organisation }
}

export async function decideRouteForAccount(pathname: string): Promise<RouteDecision> {
  return decideRoute(pathname, await loadAccount())
}
