import { queryOptions } from '@tanstack/react-query'
import { agencySchema } from '#contract/market/agency.ts'
import { type AgencySearch, formatAgencySearch } from '#contract/market/agency-params.ts'
import { wonProjectsSchema } from '#contract/market/who-wins.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import type { FileDownloadRequest } from '#src/api/http/file-download.ts'
import { agencyKeys } from '#src/api/http/keys.ts'
import { createUnusualAwardPatternsQuery } from './who-wins.ts'

const FRESH_MS = 60_000
const CACHE_MS = 30 * 60_000

const pathOf = (codeOrName: string) => `agencies/${encodeURIComponent(codeOrName)}`
const figuresQuery = ({ rows: _rows, page: _page, ...search }: AgencySearch) => formatAgencySearch(search)

export const agencyQuery = (codeOrName: string, search: AgencySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: agencyKeys.detail(codeOrName, query),
    queryFn: ({ signal }) => sendApiRequest(pathOf(codeOrName), { query, schema: agencySchema, signal }),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[2] === codeOrName ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
}

export const agencyProjectsQuery = (codeOrName: string, search: AgencySearch, page: number) => {
  const { rank: _rank, ...filters } = search
  const query = formatAgencySearch({ ...filters, page })
  return queryOptions({
    queryKey: agencyKeys.projects(codeOrName, query),
    queryFn: ({ signal }) =>
      sendApiRequest(`${pathOf(codeOrName)}/projects`, { query, schema: wonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export const agencyUnusualAwardPatternsQuery = (codeOrName: string, { rank: _rank, ...search }: AgencySearch) =>
  createUnusualAwardPatternsQuery(`${pathOf(codeOrName)}/signs`, figuresQuery(search))

export function getAgencyExportFile(
  codeOrName: string,
  search: AgencySearch,
): Required<Pick<FileDownloadRequest, 'path' | 'query' | 'name' | 'onUnauthorized'>> {
  const query = figuresQuery(search)
  return {
    path: `${pathOf(codeOrName)}/file`,
    query,
    name: 'agency',
    onUnauthorized: () => sendApiRequest(pathOf(codeOrName), { query, schema: agencySchema }),
  }
}
