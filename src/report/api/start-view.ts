import { startAddress } from '#contract/report/start-view.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { userQuery } from '#src/account/api/users.ts'
import { queryClient, startQuery } from '#src/api/http/query-client.ts'
import { printSearchText } from '#src/lib/search-text.ts'

/**
 * Returns the user's start address; for an operator the overview. If the user cannot be loaded, returns the bare
 * report, whose guard shows the reason.
 */
export async function startHref(): Promise<string> {
  startQuery(organisationQuery)
  try {
    const user = await queryClient.query({ ...userQuery, staleTime: 'static' })
    if (user.role === OPERATOR_ROLE) return '/operation'
    return `/report${printSearchText(startAddress(user))}`
  } catch {
    return '/report'
  }
}
