import { startQuery } from '#src/api/http/query-client.ts'
import { loadsQuery } from '#src/api/operation/loads.ts'
import { sourcesQuery } from '#src/api/operation/sources.ts'

export function startLoads(): void {
  startQuery(loadsQuery)
}

export function startSources(): void {
  startQuery(sourcesQuery)
}
