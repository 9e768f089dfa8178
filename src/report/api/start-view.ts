import { getStartSearchParams } from '#contract/report/start-view.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { userQuery } from '#src/account/api/users.ts'
import { queryClient, startQueryInBackground } from '#src/api/http/query-client.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'

/** If the user cannot be loaded, returns the bare report, whose guard shows the reason. */
export async function loadStartViewUrl(): Promise<string> {
  startQueryInBackground(queryClient, organisationQuery)
  try {
    const user = await queryClient.query({ ...userQuery, staleTime: 'static' })
    if (user.role === OPERATOR_ROLE) return '/operation'
    return `/report${formatQueryString(getStartSearchParams(user))}`
  } catch {
    return '/report'
  }
}
