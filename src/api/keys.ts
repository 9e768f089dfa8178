/** Every cache key of the product, one place, so that a mutation can reach the entries of another noun. */
export const userKeys = { me: ['users', 'me'] as const, sessions: ['users', 'sessions'] as const }
export const organisationKeys = { me: ['organisations', 'me'] as const }
export const reportKeys = {
  all: ['reports'] as const,
  page: (query: Readonly<Record<string, string>>) => ['reports', 'page', query] as const,
  savedFilterCounts: ['reports', 'saved-filter-counts'] as const,
  ids: (query: Readonly<Record<string, string>>) => ['reports', 'ids', query] as const,
  project: (id: string) => ['reports', 'project', id] as const,
  facets: (query: Readonly<Record<string, string>>) => ['reports', 'facets', query] as const,
}
