import { businessTypesQuery } from '#src/account/api/registration.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** Prefetches the choices of step two. */
export function startRegister(): void {
  startQuery(businessTypesQuery)
}
