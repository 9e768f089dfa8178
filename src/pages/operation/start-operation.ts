import { devicesQuery, secondFactorQuery } from '#src/api/account/second-factor.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { operatedChannelsQuery } from '#src/api/operation/channels.ts'
import { operatedFactsQuery } from '#src/api/operation/documents.ts'
import { jobsQuery } from '#src/api/operation/jobs.ts'
import { operatedKeywordsQuery } from '#src/api/operation/keywords.ts'
import { loadsQuery } from '#src/api/operation/loads.ts'
import { operationMetricsQuery } from '#src/api/operation/metrics.ts'
import { organisationsQuery } from '#src/api/operation/organisations.ts'
import { operationOverviewQuery } from '#src/api/operation/overview.ts'
import { sourcesQuery } from '#src/api/operation/sources.ts'

export function startOverview(): void {
  startQuery(operationOverviewQuery)
  startQuery(operationMetricsQuery('hour'))
}

/** `part`: the screen's name behind `/operation/`. */
export function startOperation({ params: { part } }: { params: { part: string } }): void {
  if (part === 'sources') startQuery(sourcesQuery)
  else if (part === 'loads') startQuery(loadsQuery)
  else if (part === 'organisations') startQuery(organisationsQuery)
  else if (part === 'keywords') startQuery(operatedKeywordsQuery)
  else if (part === 'documents') startQuery(operatedFactsQuery)
  else if (part === 'jobs') startQuery(jobsQuery)
  else if (part === 'channels') startQuery(operatedChannelsQuery)
  else if (part === 'account') {
    startQuery(secondFactorQuery)
    startQuery(devicesQuery)
  }
}
