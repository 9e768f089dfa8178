import { keepPreviousData } from '@tanstack/react-query'
import {
  formatTeamResultsSearch,
  type TeamResultsSearch,
  teamResultRowsSchema,
  teamResultsSchema,
} from '#contract/team/team-results.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const STALE_TIME_MS = 60_000

const periodQuery = ({ date__range, all }: TeamResultsSearch) =>
  formatTeamResultsSearch({ ...(date__range ? { date__range } : {}), ...(all ? { all } : {}) })

export function teamResultsQuery(search: TeamResultsSearch) {
  const query = periodQuery(search)
  return apiQueryOptions('results', {
    queryKey: [...pursuitKeys.all, 'results', 'of', query],
    query,
    schema: teamResultsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export function teamResultRowsQuery({ by: _by, ...search }: TeamResultsSearch) {
  const query = formatTeamResultsSearch(search)
  return apiQueryOptions('results/rows', {
    queryKey: [...pursuitKeys.all, 'results', 'rows', query],
    query,
    schema: teamResultRowsSchema,
    staleTime: STALE_TIME_MS,
  })
}

export function getTeamResultsExportFile(search: TeamResultsSearch): DownloadableFile {
  return { path: 'results/file', query: periodQuery(search), name: 'results' }
}
