import { startAddress } from '#contract/report/start-view.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { userQuery } from '#src/account/api/users.ts'
import { queryClient, startQuery } from '#src/api/http/query-client.ts'
import { printSearchText } from '#src/lib/search-text.ts'

/** Address of the report as this user wants to begin; of an operator the overview. While the user cannot be had it is the bare report, whose guard says why. */
export async function startHref(): Promise<string> {
  // The guard of the report waits for it too: asked beside the user, not after.
  startQuery(organisationQuery)
  try {
    const user = await queryClient.query({ ...userQuery, staleTime: 'static' })
    if (user.role === OPERATOR_ROLE) return '/operation'
    return `/report${printSearchText(startAddress(user))}`
  } catch {
    return '/report'
  }
}
