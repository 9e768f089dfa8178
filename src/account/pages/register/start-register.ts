import { businessTypesQuery } from '#src/account/api/registration.ts'
import { startQuery } from '#src/api/http/query-client.ts'

export function startRegister(): void {
  startQuery(businessTypesQuery)
}
