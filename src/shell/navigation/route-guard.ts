import type { Organisation } from '#contract/account/organisation.ts'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { type AppScreenPath, findScreenByPath } from '#contract/screen.ts'

export type RouteDecision =
  | { readonly go: 'stay' }
  | { readonly go: 'load-account' }
  | { readonly go: 'redirect'; readonly to: AppScreenPath }

/** Budget-only access implies access; a null user flag is ignored (D14). */
export function hasBudgetAccess(account: {
  organisation: Pick<Organisation, 'is_access_budget_year' | 'is_access_budget_year_only'>
  user: Pick<User, 'is_access_budget_year'>
}): boolean {
  const { organisation, user } = account
  if (organisation.is_access_budget_year_only) return true
  return organisation.is_access_budget_year && user.is_access_budget_year !== false
}

export type LoadedAccount = {
  readonly user: Pick<User, 'role' | 'is_access_budget_year' | 'second_factor_due'>
  readonly organisation: Pick<
    Organisation,
    | 'register_status'
    | 'is_access_budget_year'
    | 'is_access_budget_year_only'
    | 'is_company_compare'
    | 'is_access_company_comparison'
  >
}
export type RouteVisitor = 'signed-out' | 'signed-in' | LoadedAccount

type GuardRule = {
  readonly to: AppScreenPath
  readonly matches: (account: LoadedAccount, path: AppScreenPath) => boolean
}

const watchListIsDue = ({ organisation: { register_status: status } }: LoadedAccount) =>
  status.is_register_completed && !status.is_watchlist_completed

/** Rules for steps 4 to 9 of the guard, in the order of specification section 2; the first match applies. */
const GUARD_RULES: readonly GuardRule[] = [
  { to: '/group-watch', matches: (account, path) => watchListIsDue(account) && path !== '/group-watch' },
  { to: '/report', matches: ({ user }, path) => path === '/logs' && user.role !== 'super_user' },
  {
    to: '/budget',
    // Step 4 sends users with an unfinished setup to /group-watch, so redirecting them would loop.
    matches: (account, path) =>
      account.organisation.is_access_budget_year_only &&
      path !== '/budget' &&
      path !== '/settings' &&
      !(path === '/group-watch' && watchListIsDue(account)),
  },
  { to: '/report', matches: (account, path) => path === '/budget' && !hasBudgetAccess(account) },
  {
    to: '/report',
    matches: ({ organisation }, path) =>
      (path === '/companies' || path === '/companies/{name}' || path === '/agencies/{code}') &&
      !organisation.is_company_compare,
  },
  {
    to: '/report',
    matches: ({ organisation }, path) => path === '/company-comparison' && !organisation.is_access_company_comparison,
  },
]

/**
 * Decides what happens on entering a path (specification section 2, route guard, steps 2 to 9; the caller handles step
 * 1, the title). Public screens and unknown paths are open.
 */
export function decideRoute(pathname: string, visitor: RouteVisitor): RouteDecision {
  const screen = findScreenByPath(pathname)
  if (!screen?.needsLogin) return { go: 'stay' }
  if (visitor === 'signed-out') return { go: 'redirect', to: '/login' }
  if (visitor === 'signed-in') return { go: 'load-account' }
  // Beyond the specification: operators may only enter /operation (R61), which itself refuses other users.
  if (visitor.user.role === OPERATOR_ROLE)
    return screen.path.startsWith('/operation') ? { go: 'stay' } : { go: 'redirect', to: '/operation' }
  // Beyond the specification: until a required second factor is set up, the server refuses all else (R68).
  if (visitor.user.second_factor_due)
    return screen.path === '/settings' ? { go: 'stay' } : { go: 'redirect', to: '/settings' }
  const rule = GUARD_RULES.find(({ to, matches }) => to !== screen.path && matches(visitor, screen.path))
  return rule ? { go: 'redirect', to: rule.to } : { go: 'stay' }
}
