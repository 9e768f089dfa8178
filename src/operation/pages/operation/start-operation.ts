import { rememberedDevicesQuery, secondFactorQuery } from '#src/account/api/second-factor.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { operatedJobsQuery } from '#src/operation/api/jobs.ts'
import { dataLoadsQuery } from '#src/operation/api/loads.ts'
import { operationMetricsQuery } from '#src/operation/api/metrics.ts'
import { operatedChannelsQuery } from '#src/operation/api/operator-channels.ts'
import { operatedDocumentFactsQuery } from '#src/operation/api/operator-documents.ts'
import { operatedKeywordsQuery } from '#src/operation/api/operator-keywords.ts'
import { organisationsQuery } from '#src/operation/api/operator-organisations.ts'
import { operationOverviewQuery } from '#src/operation/api/overview.ts'
import { sourcesQuery } from '#src/operation/api/sources.ts'

export function startOverview(): void {
  startQuery(operationOverviewQuery)
  startQuery(operationMetricsQuery('hour'))
}

/** `part` is the path segment after `/operation/`. */
export function startOperation({ params: { part } }: { params: { part: string } }): void {
  if (part === 'sources') startQuery(sourcesQuery)
  else if (part === 'loads') startQuery(dataLoadsQuery)
  else if (part === 'organisations') startQuery(organisationsQuery)
  else if (part === 'keywords') startQuery(operatedKeywordsQuery)
  else if (part === 'documents') startQuery(operatedDocumentFactsQuery)
  else if (part === 'jobs') startQuery(operatedJobsQuery)
  else if (part === 'channels') startQuery(operatedChannelsQuery)
  else if (part === 'account') {
    startQuery(secondFactorQuery)
    startQuery(rememberedDevicesQuery)
  }
}
