import { businessTypesQuery } from '#src/account/api/registration.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** The first step's choices; a later step was reached in this tab or will be left for the first. */
export function startGroupWatch(): void {
  startQuery(businessTypesQuery)
}
