import { startQuery } from '#src/api/http/query-client.ts'
import { sourcesQuery } from '#src/api/operation/sources.ts'

export function startSources(): void {
  startQuery(sourcesQuery)
}
