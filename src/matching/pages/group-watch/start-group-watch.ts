import { businessTypesQuery } from '#src/account/api/registration.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** Prefetches the first step; later steps are either cached in this tab or redirect to the first. */
export function startGroupWatch(): void {
  startQuery(businessTypesQuery)
}
