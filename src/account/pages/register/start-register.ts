import { businessTypesQuery } from '#src/account/api/registration.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** The choices of the second step, which the first gives time to arrive. */
export function startRegister(): void {
  startQuery(businessTypesQuery)
}
