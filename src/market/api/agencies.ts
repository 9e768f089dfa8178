import { keepPreviousData } from '@tanstack/react-query'
import { agencySchema } from '#contract/market/agency.ts'
import { type AgencySearch, formatAgencySearch } from '#contract/market/agency-params.ts'
import { unusualAwardPatternsSchema } from '#contract/market/unusual-award-patterns.ts'
import { wonProjectsSchema } from '#contract/market/who-wins.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { reportKeys } from '#src/api/http/keys.ts'

const STALE_TIME_MS = 60_000
const GC_TIME_MS = 30 * 60_000

const figuresQuery = ({ rows: _rows, page: _page, ...search }: AgencySearch) => formatAgencySearch(search)

export const agencyQuery = (codeOrName: string, search: AgencySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('agencies/:code', {
    queryKey: ['agencies', 'detail', codeOrName, query],
    params: { code: codeOrName },
    query,
    schema: agencySchema,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[2] === codeOrName ? previous : undefined),
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

export const agencyProjectsQuery = (codeOrName: string, search: AgencySearch, page: number) => {
  const { rank: _rank, ...filters } = search
  const query = formatAgencySearch({ ...filters, page })
  return apiQueryOptions('agencies/:code/projects', {
    queryKey: ['agencies', 'projects', codeOrName, query],
    params: { code: codeOrName },
    query,
    schema: wonProjectsSchema,
    staleTime: STALE_TIME_MS,
  })
}

export const agencyUnusualAwardPatternsQuery = (codeOrName: string, { rank: _rank, ...search }: AgencySearch) => {
  const query = figuresQuery(search)
  return apiQueryOptions('agencies/:code/signs', {
    queryKey: [...reportKeys.all, 'odd-signs', codeOrName, query],
    params: { code: codeOrName },
    query,
    schema: unusualAwardPatternsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

export function getAgencyExportFile(codeOrName: string, search: AgencySearch): DownloadableFile {
  return { path: `agencies/${encodeURIComponent(codeOrName)}/file`, query: figuresQuery(search), name: 'agency' }
}
