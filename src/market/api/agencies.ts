import { queryOptions } from '@tanstack/react-query'
import { agencySchema } from '#contract/market/agency.ts'
import { type AgencySearch, printAgencySearch } from '#contract/market/agency-params.ts'
import { wonProjectsSchema } from '#contract/market/who-wins.ts'
import { request } from '#src/api/http/client.ts'
import type { FileAsk } from '#src/api/http/file-download.ts'
import { agencyKeys } from '#src/api/http/keys.ts'
import { signsAt } from './who-wins.ts'

/** Figures only change with a load: nightly or manual. */
const FRESH_MS = 60_000
/** Long enough that going back from a project or company restores the page. */
const KEPT_MS = 30 * 60_000

const pathOf = (part: string) => `agencies/${encodeURIComponent(part)}`
const figuresQuery = ({ rows: _rows, page: _page, ...search }: AgencySearch) => printAgencySearch(search)

/** `part`: code or name, as in the address. Shows the previous scope while loading. */
export const agencyQuery = (part: string, search: AgencySearch) => {
  const query = figuresQuery(search)
  return queryOptions({
    queryKey: agencyKeys.detail(part, query),
    queryFn: ({ signal }) => request(pathOf(part), { query, schema: agencySchema, signal }),
    placeholderData: (previous, before) => (before?.queryKey[2] === part ? previous : undefined),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
  })
}

export const agencyProjectsQuery = (part: string, search: AgencySearch, page: number) => {
  const { rank: _rank, ...question } = search
  const query = printAgencySearch({ ...question, page })
  return queryOptions({
    queryKey: agencyKeys.projects(part, query),
    queryFn: ({ signal }) => request(`${pathOf(part)}/projects`, { query, schema: wonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export const agencySignsQuery = (part: string, { rank: _rank, ...search }: AgencySearch) =>
  signsAt(`${pathOf(part)}/signs`, figuresQuery(search))

export function agencyFile(
  part: string,
  search: AgencySearch,
): Required<Pick<FileAsk, 'path' | 'query' | 'name' | 'whenSessionEnds'>> {
  const query = figuresQuery(search)
  return {
    path: `${pathOf(part)}/file`,
    query,
    name: 'agency',
    whenSessionEnds: () => request(pathOf(part), { query, schema: agencySchema }),
  }
}
