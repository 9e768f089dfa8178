import type { CustomerConfig } from '#contract/account/organisation.ts'
import type { OperatorOrganisation, OperatorOrganisationDetails } from '#contract/operation/operator-organisations.ts'
import { getOrganisationLimits } from '#server/operation/admin/admin-requests.ts'
import type { AdminOrganisationDetails, AdminOrganisationRow, AdminUserRow } from '#server/operation/admin/queries.ts'

/** Returns null for equal times, which lock nothing (C12). */
function closedHours({ not_allow_start_time: start = '', not_allow_end_time: end = '' }: Partial<CustomerConfig>) {
  return start === end ? null : { start: start.slice(0, 5), end: end.slice(0, 5) }
}

export function presentOrganisation({
  isDisabled,
  config,
  lastUsedAt,
  ...organisation
}: AdminOrganisationRow): OperatorOrganisation {
  return { ...organisation, limits: getOrganisationLimits(config), is_disabled: isDisabled, last_used_at: lastUsedAt }
}

export function presentOrganisationDetails(
  details: AdminOrganisationDetails,
  users: readonly AdminUserRow[],
): OperatorOrganisationDetails {
  const { isDisabled, isWatchlistCompleted, createdAt, budgetYears, config, ...remainder } = details
  return {
    ...remainder,
    limits: getOrganisationLimits(config),
    is_disabled: isDisabled,
    is_watchlist_completed: isWatchlistCompleted,
    created_at: createdAt,
    budget_years: budgetYears
      .split(',')
      .map(Number)
      .filter((year) => year > 0),
    closed_hours: closedHours(config),
    users: users.map(({ email, name, role, isAccountDisabled, lastUsedAt }) => ({
      ...{ email, name, role },
      is_disabled: isAccountDisabled,
      last_used_at: lastUsedAt,
    })),
  }
}
