import { startQuery } from '#src/api/query-client.ts'
import { businessTypesQuery } from '#src/api/set-up.ts'

/** The first step's choices; a later step was reached in this tab or will be left for the first. */
export function startGroupWatch(): void {
  startQuery(businessTypesQuery)
}
